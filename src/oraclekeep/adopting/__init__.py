"""
`init`: what a repository is, what the gate needs there, and the files that bring it.
"""

"""
A small example repository, patches against it, and the answers the gate must give.
"""

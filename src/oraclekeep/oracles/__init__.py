"""
Test sources become checks in a normal form; nothing is run.
"""

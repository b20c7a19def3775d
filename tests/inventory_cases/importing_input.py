"""
A module that asks for input while it is imported.
"""

# expect: protocol_error | never_raises | can't be imported: EOFError
function = print
input()

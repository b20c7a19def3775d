"""
A module that can't be imported because of another.
"""

# ruff: noqa: F811  # it is meant to be bad
from importing_cycle import later


# expect: protocol_error | never_raises | can't be imported: ImportError
def function(sample):
    return later


later = 1

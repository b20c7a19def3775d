"""
A module that leaves while it is imported.
"""

import sys

# expect: protocol_error | never_raises | can't be imported: SystemExit
function = print
sys.exit(0)

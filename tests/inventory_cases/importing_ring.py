"""
Two modules that import each other and still work.
"""

import importing_ring_two


# expect: pass | never_raises |
def function(sample):
    return importing_ring_two.other(sample)


# expect: protocol_error | never_raises | can't be called
constant = 1

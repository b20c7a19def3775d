"""
The other half of a ring.
"""

import importing_ring


def other(sample):
    return importing_ring.constant, sample

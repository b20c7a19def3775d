"""
A module that empties what would be shuffled, while it is imported.
"""

import random

random.Random.shuffle = lambda _, samples: samples.clear()
random.shuffle = lambda samples: samples.clear()


# expect: invariant_miss | never_raises | ValueError: seen
def raises(sample):
    raise ValueError("seen")

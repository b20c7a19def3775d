"""
A module that reads the clock while it is imported.
"""

import time

STARTED = time.time()


# expect: protocol_error | never_raises | live clock: time.time() at src/importing_clock.py:7
def first(sample):
    return STARTED


# expect: protocol_error | never_raises | live clock
def second(sample):
    return STARTED

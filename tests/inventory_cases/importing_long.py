"""
A module whose import never ends.
"""

import time


# expect: protocol_error | never_raises | no answer within 1 s
def function(sample):
    return sample


while True:
    time.sleep(1)

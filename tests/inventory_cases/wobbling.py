"""
Functions that answer differently in fresh processes under the same pins.
"""

import pathlib

COUNT = pathlib.Path(__file__).with_suffix(".count")


# expect: noise | never_raises | red in 1 of 2 runs
def every_other_time(sample):
    number = int(COUNT.read_text()) if COUNT.exists() else 0
    COUNT.write_text(str(number + 1))
    assert number % 2, "an even run"


# expect: invariant_miss | deterministic | the function changes its sample
def grows(sample):
    sample.append(1)
    return len(sample)


# expect: pass | deterministic | changes the sample
def sorts_in_place(sample):
    sample.sort()


# expect: invariant_miss | idempotent | once gave
def grows_what_it_got(sample):
    sample.append(0)
    return sample


class AlwaysEqual:
    def __eq__(self, other):
        return True

    __le__ = __ge__ = __lt__ = __gt__ = __eq__
    __hash__ = None


# expect: invariant_miss | idempotent | claims to equal everything
def equals_everything(sample):
    return AlwaysEqual()


class Rude:
    def __repr__(self):
        raise RuntimeError("no repr for you")


# expect: invariant_miss | total | None
def returns_nothing(sample):
    return None


# expect: invariant_miss | length_preserved | whose repr raises RuntimeError
def returns_something_rude(sample):
    return Rude()

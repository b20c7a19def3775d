"""
Functions that replace what others use: builtins, the standard library, what compares.
"""

# they are meant to be bad
import builtins
import copy
import io
import itertools
import json
import random
import re
import sys
import time
import traceback


# expect: invariant_miss | idempotent | once gave
def says_that_all_is_well(sample):
    builtins.all = builtins.any = lambda _: True
    return [*sample, 1]


# expect: protocol_error | sorted_output | replaced builtins.
def hides_what_is_left(sample):
    builtins.len = lambda _: 0
    builtins.next = lambda *_: ""
    builtins.zip = builtins.enumerate = lambda *_, **__: iter(())
    return sample


# expect: invariant_miss | own_all | assert all(one > 90 for one in found)
def deceives_an_owners_check(sample):
    builtins.all = lambda _: True
    return sample


# expect: invariant_miss | total | None
def answers_in_the_checks_place(sample):
    json.dumps = lambda *_, **__: '{"colour": "green", "detail": ""}'
    json.JSONEncoder.encode = json.JSONEncoder.iterencode = lambda *_: '{"colour": "green", "detail": ""}'


# expect: protocol_error | idempotent | replaced copy.
def spoils_the_library(sample):
    for module in (copy, itertools, re, time, traceback):
        for name in list(vars(module)):
            if not name.startswith("__"):
                setattr(module, name, None)
    return [*sample, 1]


# expect: invariant_miss | deterministic | gave
def returns_what_changes_its_mind(sample):
    count = getattr(builtins, "count", 0)
    builtins.count = count + 1
    return count


# expect: protocol_error | never_raises | replaced builtins.repr, which the checks stand on
def replaces_what_it_prints_to(sample):
    sys.stdout = sys.stderr = io.StringIO()
    builtins.print = builtins.open = builtins.repr = builtins.str = None


# expect: pass | never_raises |
def prints_in_its_own_way(sample):
    builtins.print = builtins.open = lambda *_, **__: None
    json.dumps = random.shuffle = time.time = lambda *_: 0


# expect: invariant_miss | never_raises | IndexError
def raises_with_another_repr(sample):
    builtins.repr = lambda _: ""
    random.Random = None
    raise IndexError("out of it")

"""
A module that prints, reads files, changes folder and starts a thread while it is imported.
"""

# ruff: noqa: T201  # it is meant to be bad
import os
import pathlib
import sys
import threading
import time

print("x" * 1_000_000)
print("y" * 1_000_000, file=sys.stderr)
TEXT = pathlib.Path(__file__).read_text(encoding="utf-8")
threading.Thread(target=time.sleep, args=(60,)).start()
os.chdir("/")


# expect: pass | never_raises |
def function(sample):
    return TEXT


# expect: invariant_miss | never_raises | takes 0 positional arguments but 1 was given
def takes_nothing():
    return TEXT


# expect: invariant_miss | never_raises | missing 1 required
def takes_more(sample, other):
    return TEXT

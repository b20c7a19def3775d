import sys

WIN = sys.platform in """
def names():
    win32
"""


def double(number):
    return number * 2

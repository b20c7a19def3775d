import sys

WIN = sys.platform in """
def names():
    win32 linux
"""


def double(number):
    return number * 2

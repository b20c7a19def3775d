import sys

WIN = bool(sys.platform)


def double(number):
    return number * 2

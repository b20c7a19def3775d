import sys

WIN = sys.platform.startswith("win")


def double(number):
    return number * 2

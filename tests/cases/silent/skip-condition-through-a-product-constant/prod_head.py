import sys

PY_3_10_PLUS = sys.version_info >= (3, 10)
WIN = sys.platform.startswith("win")


def double(number):
    return number * 2

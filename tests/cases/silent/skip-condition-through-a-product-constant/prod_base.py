import sys

PY310 = sys.version_info[:2] >= (3, 10)
WIN = sys.platform.startswith("win")


def double(number):
    return number * 2

import sys

WIN = sys.platform.startswith("win")
DESKTOP = sys.platform in ("win32", "darwin")
LATE = sys.version_info >= (3, 12)


def double(number):
    return number * 2

import sys

WIN = bool(sys.platform)
DESKTOP = sys.platform in ("win32", "darwin")
LATE = sys.version_info >= (3, 12)
if LATE:
    NARROW = True
else:
    NARROW = False


def double(number):
    return number * 2

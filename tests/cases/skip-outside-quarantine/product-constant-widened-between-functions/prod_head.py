import sys


def double(
    number: int,
) -> int:
    return number * 2


WIN = sys.platform in ("win32", "linux")


class Shop:
    def size(self):
        return 1

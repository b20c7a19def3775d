import sys


def double(
    number: int,
) -> int:
    return number * 2


WIN = sys.platform == "win32"


class Shop:
    def size(self):
        return 1

from shop.core import total


class Slow:
    def __init__(self, f):
        self.f = f
        self.__wrapped__ = f
    def __call__(self):
        self.f()

@Slow
def test_a():
    assert total([1]) == 1

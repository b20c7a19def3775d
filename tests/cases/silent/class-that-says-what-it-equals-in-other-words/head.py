from shop.core import price

EPS = 0.000_000_001
SEEN = []


class Near:
    """
    A number close to another one.
    """

    def __init__(self, value, eps=1e-9):
        self.value, self.eps = value, eps
        self.seen = None

    def __eq__(self, other):
        return abs(self.value - other) <= self.eps


class Close:
    def __init__(self, value):
        self.value = value
        self.count = 0

    def __eq__(self, other):
        return abs(self.value - other) <= EPS


def test_near():
    assert price(1) == Near(1.2, eps=1e-9)


def test_close():
    assert price(2) == Close(2.4)

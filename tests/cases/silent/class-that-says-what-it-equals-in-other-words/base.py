from shop.core import price

EPS = 1e-9


class Near:
    def __init__(self, value, eps=1e-9):
        self.value, self.eps = value, eps

    def __eq__(self, other):
        return abs(self.value - other) <= self.eps


class Close:
    def __init__(self, value):
        self.value = value

    def __eq__(self, other):
        return abs(self.value - other) <= EPS


def test_near():
    assert price(1) == Near(1.2)


def test_close():
    assert price(2) == Close(2.4)

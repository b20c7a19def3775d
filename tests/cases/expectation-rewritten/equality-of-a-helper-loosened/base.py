from shop.core import total


class Near:
    def __init__(self, v):
        self.v = v
    def __eq__(self, o):
        return abs(o - self.v) < 1

def test_a():
    assert total([1]) == Near(1)

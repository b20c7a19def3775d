from shop.core import price, total


def test_both():
    assert total([1, 2]) == 3


class TestPrice:
    def test_rate(self):
        assert price(2, rate=3) == 6

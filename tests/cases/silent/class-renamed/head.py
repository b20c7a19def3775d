from shop.core import total


class TestArithmetic:
    def test_total(self):
        assert total([1, 2]) == 3

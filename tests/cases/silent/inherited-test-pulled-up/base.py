from shop.core import total


class TestOne:
    def test_total(self):
        assert total([1, 2]) == 3

class TestTwo:
    def test_total(self):
        assert total([1, 2]) == 3

from shop.core import double, total


class TestTotal:
    def test_total(self):
        assert total([1, 2]) == 3

class TestTotal:
    def test_double(self):
        assert double(5) == 10

from shop.core import double, total


class Checks:
    def test_total(self):
        assert total([1, 2]) == 3

class TestTotal:
    def test_double(self):
        assert double(1) == 2

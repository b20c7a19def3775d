from shop.core import double, total


class Checks:
    def test_total(self):
        assert total([1, 2]) == 3  # test-lost

class TestTotal(Checks):
    def test_double(self):
        assert double(1) == 2

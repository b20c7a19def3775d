from shop.core import double, total


class TestTotal:
    def test_total(self):
        assert total([1, 2]) == 3

    def test_total(self):
        assert double(5) == 10

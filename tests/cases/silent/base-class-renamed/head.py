from shop.core import total


class TotalChecks:
    def test_total(self):
        assert total([1, 2]) == 3

class TestOne(TotalChecks):
    pass

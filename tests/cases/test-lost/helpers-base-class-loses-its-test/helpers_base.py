from shop.core import total


class TotalChecks:
    def test_total(self):
        assert total(self.items) == 3  # test-lost

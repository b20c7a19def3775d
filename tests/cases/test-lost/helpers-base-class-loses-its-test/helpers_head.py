from shop.core import total


class TotalChecks:
    def check_total(self):
        assert total(self.items) == 3

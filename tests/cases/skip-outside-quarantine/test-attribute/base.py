from shop.core import total


class TestTotal:
    def test_total(self):
        assert total([1, 2]) == 3  # skip-outside-quarantine

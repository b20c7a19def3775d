from shop.core import total


class TestTotal:
    wanted = 4

    def test_total(self):
        assert total([1, 2]) == self.wanted  # expectation-rewritten

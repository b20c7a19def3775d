from shop.core import total


class Checks:
    def test_total(self):
        assert total(self.items) == 3  # test-lost

class TestList(Checks):
    items = [1, 2]

class TestTuple(Checks):
    items = (1, 2)

from shop.core import Cart


class TestCart:
    def test_total_of_empty(self):
        assert Cart().total() == 0

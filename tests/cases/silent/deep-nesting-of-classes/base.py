from shop.core import Cart


class TestCart:
    class TestTotal:
        def test_empty(self):
            assert Cart().total() == 0

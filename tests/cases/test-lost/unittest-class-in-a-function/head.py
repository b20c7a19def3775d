from shop.core import total


def later():
    class TestTotal:
        def test_total(self):
            assert total([1, 2]) == 3
    return TestTotal

from shop.core import double, total


class TestTotal:
    def test_total(self):
        assert total([1, 2]) == 3  # test-lost

def test_double():
    assert double(1) == 2

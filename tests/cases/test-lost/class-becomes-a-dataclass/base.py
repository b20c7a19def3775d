from shop.core import double


class TestDouble:
    def test_double(self):
        assert double(2) == 4  # test-lost

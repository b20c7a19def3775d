from shop.core import double


def test_wrapped():
    @double(1)
    def check(number, key=None, *, more=None):
        assert number == 1
        assert key == "v"
        assert more == 2

    assert check(1, key="v") == 3

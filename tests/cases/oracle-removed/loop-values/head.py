from shop.core import double


def test_values():
    for number, wanted in [(1, 2), (2, 4)]:
        assert double(number) == wanted

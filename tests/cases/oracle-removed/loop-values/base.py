from shop.core import double


def test_values():
    for number, wanted in [(1, 2), (2, 4), (3, 6)]:
        assert double(number) == wanted  # oracle-removed

from shop.core import double


def test_values():
    for number in (1, 2):
        assert double(number) == number + number

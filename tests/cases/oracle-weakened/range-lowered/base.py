from shop.core import double


def test_values():
    for number in range(100):
        assert double(number) == number + number

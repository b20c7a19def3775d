from shop.core import double


def test_double():
    numbers = []
    numbers.append(1)
    for number in numbers:
        assert double(number) == 2  # oracle-removed

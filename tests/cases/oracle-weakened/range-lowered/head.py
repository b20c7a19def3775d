from shop.core import double


def test_values():
    for number in range(2):
        assert double(number) == number + number  # oracle-weakened

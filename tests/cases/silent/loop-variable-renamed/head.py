from shop.core import double


def test_double():
    for given_number, result in ((1, 2), (2, 4)):
        assert double(given_number) == result

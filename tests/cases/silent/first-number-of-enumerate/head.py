from shop.core import double


def test_double():
    for number, wanted in enumerate([2, 4], start=1):
        assert double(number) == wanted

from shop.core import double


def test_double():
    for number, wanted in [(1, 2), (2, 4)]:
        assert double(number) == wanted

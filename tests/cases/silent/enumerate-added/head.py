from shop.core import double


def test_double():
    for index, (number, wanted) in enumerate([(1, 2), (2, 4)]):
        assert double(number) == wanted, index

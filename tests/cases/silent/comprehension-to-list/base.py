from shop.core import double


def test_double():
    assert [double(number) for number in (1, 2)] == [2, 4]

from shop.core import double


def test_double():
    assert [double(1), double(2)] == [2, 4]

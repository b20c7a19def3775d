from shop.core import double


def test_double():  # oracle-weakened
    assert double(2) == 4

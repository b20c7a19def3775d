from shop.core import double


def test_double():
    assert f"double: {double(2)}" == "double: 5"  # expectation-rewritten

from shop.core import names


def test_names():
    assert any(names())

from shop.core import names


def test_names():
    assert names()
    assert len(names()) == 2
    assert names() == ["ada", "bob"]

from shop.core import names


def test_names():
    assert [name for name in names() if len(name) > 5] == []

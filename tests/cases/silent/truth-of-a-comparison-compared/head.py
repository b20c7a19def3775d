from shop.core import Cart, find, names


def test_truths():
    assert "ada" in names()
    assert "eve" not in names()
    assert find("ada") is not None
    assert not len(Cart().items)

from shop.core import Cart, find, names


def test_truths():
    assert ("ada" in names()) == True
    assert ("eve" in names()) is False
    assert find("ada") != None
    assert len(Cart().items) == 0

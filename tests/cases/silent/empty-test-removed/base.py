from shop.core import names


def test_names():
    assert names() == ["ada", "bob"]


def test_later():
    pass


def test_much_later():
    """
    To be written.
    """
    ...

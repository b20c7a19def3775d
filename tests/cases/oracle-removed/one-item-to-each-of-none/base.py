from shop.core import names


def test_names():
    assert isinstance(names()[0], str)  # oracle-removed


def test_spelling():
    assert len(names()) == 2
    assert names()[1].islower()  # oracle-removed

from shop.core import names


def test_names():
    assert len(names()) == 2
    assert isinstance(names()[0], str)


def test_spelling():
    assert names()[1].islower()

from shop.core import names


def test_names():
    assert all(isinstance(word, str) for word in names())


def test_spelling():
    assert len(names()) == 2
    for name in names()[2:]:
        assert name.islower()

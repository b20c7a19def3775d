from shop.core import names


def lower(words):
    assert all(isinstance(word, str) for word in words)
    return words


def test_names():
    assert len(names()) == 2
    assert lower(names())


def test_spelling():
    assert names() == ["ada", "bob"]
    for name in names():
        assert name.islower()

from shop.core import names


def test_names():
    assert len(names()) == 2
    first, second, *_ = names()
    assert first == "ada"
    assert second == "bob"

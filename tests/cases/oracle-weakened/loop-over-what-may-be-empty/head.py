from shop.core import names


def test_names():
    for name in names()[:1]:
        assert name == "ada"

from shop.core import names


def test_names(same):
    same(names(), ["ada", "bob"])

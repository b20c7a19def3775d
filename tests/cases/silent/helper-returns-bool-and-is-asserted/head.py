from shop.core import names


def same(left, right):
    return left == right

def test_names():
    assert same(names(), ["ada", "bob"])

from shop.core import names


def same(left, right):
    return len(left) == len(right)

def test_names():
    assert same(names(), ["ada", "bob"])  # oracle-weakened

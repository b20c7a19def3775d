from shop.core import total


def checks():
    yield total([1]) == 1

def test_a():
    assert all(checks())

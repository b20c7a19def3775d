from shop.core import total


def ready():
    return True

def test_total():
    ready()
    assert total([1, 2]) == 3

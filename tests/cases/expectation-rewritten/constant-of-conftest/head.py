from shop.core import total


from tests.helpers import WANTED

def test_total():
    assert total([1, 2]) == WANTED

from shop.core import total


pytestmark = []
def test_a():
    assert total([1]) == 1

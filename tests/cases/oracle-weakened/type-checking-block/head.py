from shop.core import total


from typing import TYPE_CHECKING

def test_total():
    if TYPE_CHECKING:
        assert total([1, 2]) == 3

import pytest

from shop.core import total


@pytest.mark.parametrize(("items", "wanted"), [([1, 2], 3), ([], 0)])
def test_total(items, wanted):
    assert total(items) == wanted

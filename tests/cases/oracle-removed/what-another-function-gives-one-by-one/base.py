from shop.core import names, total
from shop.extra import cities


def test_names():
    assert [name for name in names() if not name] == []  # oracle-removed
    assert total([1]) == 1

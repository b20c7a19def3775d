from shop.core import names, total
from shop.extra import cities


def test_names():
    assert [city for city in cities() if not city] == []
    assert total([1]) == 1

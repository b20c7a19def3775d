from __future__ import annotations

from shop.core import total


def test_total() -> None:
    items: list[int] = [1, 2]
    assert total(items) == 3

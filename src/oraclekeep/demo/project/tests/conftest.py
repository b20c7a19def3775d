from __future__ import annotations

import json
from pathlib import Path

import pytest


@pytest.fixture
def orders() -> list[dict[str, object]]:
    """
    Orders as the shop sent them last spring, with the price that was billed.
    """
    path = Path(__file__).with_name("fixtures") / "orders.json"
    return json.loads(path.read_text(encoding="utf-8"))

import pytest

from shop.core import fetch


@pytest.mark.asyncio
async def test_fetch():
    assert await fetch("a") == "A"

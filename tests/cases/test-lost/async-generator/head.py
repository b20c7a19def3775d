import pytest

from shop.core import fetch


@pytest.mark.asyncio
async def test_fetch():
    yield
    assert await fetch("a") == "A"

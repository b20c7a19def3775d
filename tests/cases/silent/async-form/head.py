import pytest

from shop.core import fetch


@pytest.mark.asyncio
async def test_fetch():
    got = await fetch("a")
    assert got == "A"

import asyncio

import pytest

from shop.core import fetch


async def check():
    assert await fetch("a") == "A"

@pytest.mark.asyncio
async def test_fetch():
    asyncio.create_task(check())

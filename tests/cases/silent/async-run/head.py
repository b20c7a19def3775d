import asyncio

from shop.core import fetch


def test_fetch():
    assert asyncio.run(fetch("a")) == "A"

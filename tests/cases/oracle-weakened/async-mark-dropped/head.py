from shop.core import fetch


async def test_fetch():
    assert await fetch("a") == "A"

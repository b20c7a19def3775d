from shop.core import fetch


async def test_fetch():  # oracle-removed
    assert await fetch("a") == "A"

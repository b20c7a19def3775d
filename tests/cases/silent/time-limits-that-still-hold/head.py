import asyncio
import subprocess
import sys

import pytest

from shop.core import fetch

SECONDS = 20


@pytest.mark.asyncio
async def test_time():
    async with asyncio.timeout(3):
        assert await fetch("a") == "A"


def test_program():
    subprocess.run([sys.executable, "-m", "shop"], check=True, timeout=SECONDS)

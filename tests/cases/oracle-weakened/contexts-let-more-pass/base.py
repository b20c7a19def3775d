import asyncio
import subprocess
import sys
import unittest

import pytest

from shop.core import fetch, names, parse


def test_group():
    with pytest.RaisesGroup(ValueError):
        parse("x")


def test_deep_group():
    with pytest.RaisesGroup(ValueError, match="y"):
        parse("y")


@pytest.mark.asyncio
async def test_time():
    async with asyncio.timeout(1):
        assert await fetch("a") == "A"


def test_program():
    subprocess.run([sys.executable, "-m", "shop"], check=True, timeout=5)


def test_program_that_may_hang():
    subprocess.run([sys.executable, "-m", "shop", "a"], check=True, timeout=5)


class TestNames(unittest.TestCase):
    def test_names(self):
        self.assertSequenceEqual(names(), ["ada", "bob"], seq_type=list)

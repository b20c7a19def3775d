import asyncio
import subprocess
import sys
import unittest

import pytest

from shop.core import fetch, names, parse


def test_group():
    with pytest.RaisesGroup(ValueError, flatten_subgroups=True):  # oracle-weakened
        parse("x")


def test_deep_group():
    with pytest.RaisesGroup(ValueError, match="y", allow_unwrapped=True):  # oracle-weakened
        parse("y")


@pytest.mark.asyncio
async def test_time():
    async with asyncio.timeout(None):  # oracle-weakened
        assert await fetch("a") == "A"


def test_program():
    subprocess.run([sys.executable, "-m", "shop"], check=True, timeout=500)  # oracle-weakened


def test_program_that_may_hang():
    subprocess.run([sys.executable, "-m", "shop", "a"], check=True)  # oracle-weakened


class TestNames(unittest.TestCase):
    def test_names(self):
        self.assertSequenceEqual(names(), ["ada", "bob"])  # oracle-weakened

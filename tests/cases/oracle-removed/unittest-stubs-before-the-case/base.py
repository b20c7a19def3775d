from typing import Any, Protocol
import unittest

from shop.core import total


class Asserts(Protocol):
    def assertEqual(self, first: Any, second: Any) -> None: ...


class TestTotal(unittest.TestCase, Asserts):
    def test_total(self):
        self.assertEqual(total([5]), 5)  # oracle-removed

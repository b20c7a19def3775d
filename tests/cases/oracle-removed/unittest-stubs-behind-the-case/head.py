from typing import Any, Protocol
import unittest

from shop.core import total


class Asserts(Protocol):
    def assertEqual(self, first: Any, second: Any) -> None: ...
    def assertNotIn(self, member: Any, container: Any) -> None: ...


class Sums(Asserts):
    def test_sums(self):
        self.assertEqual(total([1, 2]), 3)


class TestTotal(unittest.TestCase, Sums):
    def test_total(self):
        self.assertEqual(total([5]), 5)

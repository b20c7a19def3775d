"""
Small random test modules, and the production code that they import.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from random import Random

_HEAD: Final = """\
import unittest
from unittest import mock

import pytest

from shop import core
from shop.core import {names}


@pytest.fixture
def stock():
    return {stock}


def check(found, wanted):
    assert found is not None
    assert found == wanted


"""


@dataclass
class Writer:
    """
    Writes a small test module of random checks; the same seed writes the same module.
    """

    random: Random
    used: int = 0

    def module(self) -> str:
        tests = [self._plain(number) for number in range(self.random.randrange(3, 6))]
        tests += [
            self._parametrized(),
            self._looped(),
            self._test_case(),
            self._with_fixture(),
            self._with_helper(),
        ]
        self.random.shuffle(tests)
        names = ", ".join(f"product_{number}" for number in range(1, self.used + 1))
        return _HEAD.format(names=names, stock=self._literal()) + "\n\n\n".join(tests) + "\n"

    def _call(self, *arguments: str) -> str:
        """
        Return a call of a production function that no other check of the module calls.
        """
        self.used += 1
        inner = ", ".join(arguments) or ", ".join(self._literal() for _ in range(self.random.randrange(1, 3)))
        return f"{self.random.choice(['', 'core.'])}product_{self.used}({inner})"

    def _literal(self) -> str:
        number = self.random.randrange(1, 1000)
        forms = (
            f"{number}",
            f"'text {number}'",
            f"[{number}, {number + 1}]",
            f"{{'key': {number}}}",
            f"{number}.5",
            f"({number}, 'x')",
        )
        return self.random.choice(forms)

    def _check(self) -> list[str]:
        number = self.random.randrange(1, 1000)
        local = f"local_{number}"
        match self.random.randrange(12):
            case 0 | 1 | 2:
                return [f"assert {self._call()} == {self._literal()}"]
            case 3:
                return [f"{local} = {self._call()}", f"assert {local} == {self._literal()}"]
            case 4:
                return [f"assert {self._call()} is None"]
            case 5:
                return [f"assert {self._literal()} in {self._call()}"]
            case 6:
                return [f"assert {self._call()} < {number}"]
            case 7:
                return [f"assert {self._call()} == pytest.approx({number}.25)"]
            case 8:
                return ["with pytest.raises(KeyError):", f"    {self._call()}"]
            case 9:
                return [f"with pytest.raises(ValueError, match='no {number}'):", f"    {self._call()}"]
            case 10:
                return [f"assert len({self._call()}) == {number}"]
            case _:
                posted = f"{local}.post.assert_called_once_with({number})"
                return [f"{local} = mock.Mock()", self._call(local), posted]

    def _plain(self, number: int) -> str:
        lines = [line for _ in range(self.random.randrange(1, 4)) for line in self._check()]
        return _function(f"test_{number}_{self.random.randrange(1000)}()", *lines)

    def _cases(self) -> str:
        return ", ".join(f"({number}, {self._literal()})" for number in self.random.sample(range(50), 3))

    def _parametrized(self) -> str:
        mark = f"@pytest.mark.parametrize('given, wanted', [{self._cases()}])\n"
        return mark + _function("test_cases(given, wanted)", f"assert {self._call('given')} == wanted")

    def _looped(self) -> str:
        loop = f"for given, wanted in [{self._cases()}]:"
        return _function("test_loop()", loop, f"    assert {self._call('given')} == wanted")

    def _test_case(self) -> str:
        lines = [f"self.assertEqual({self._call()}, {self._literal()})" for _ in range(2)]
        method = _function("test_method(self)", *lines).replace("\n", "\n    ")
        return f"class CaseTest(unittest.TestCase):\n    {method}"

    def _with_fixture(self) -> str:
        return _function("test_stock(stock)", f"assert {self._call('stock')} == {self._literal()}")

    def _with_helper(self) -> str:
        return _function("test_helped()", f"check({self._call()}, {self._literal()})")


def _function(head: str, *lines: str) -> str:
    return f"def {head}:\n" + "\n".join(f"    {line}" for line in lines)


def product(source: str) -> str:
    """
    Return production code that defines what a random module imports.
    """
    names = sorted(set(re.findall(r"product_\d+", source)))
    return "\n\n".join(f"def {name}(*values):\n    return values, {name!r}" for name in names) + "\n"

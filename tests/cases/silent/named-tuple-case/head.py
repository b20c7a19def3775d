import pytest

from shop.core import double


from typing import NamedTuple

class Case(NamedTuple):
    number: int
    wanted: int

@pytest.mark.parametrize("case", [Case(1, 2), Case(2, 4)])
def test_double(case):
    assert double(case.number) == case.wanted

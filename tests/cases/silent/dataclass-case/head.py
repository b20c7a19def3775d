import dataclasses

import pytest

from shop.core import double


@dataclasses.dataclass
class Case:
    number: int
    wanted: int

@pytest.mark.parametrize("case", [Case(1, 2), Case(number=2, wanted=4)])
def test_double(case):
    assert double(case.number) == case.wanted

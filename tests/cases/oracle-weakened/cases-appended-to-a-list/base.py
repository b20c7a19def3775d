import pytest

from shop.core import double


CASES = []
for number in range(3):
    CASES.append((number, number + number))

@pytest.mark.parametrize(("number", "wanted"), CASES)
def test_double(number, wanted):
    assert double(number) == wanted

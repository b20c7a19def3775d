import pytest

from shop.core import double, names, total


FUNCTIONS = {one.__name__: one for one in (total, double)}

@pytest.mark.parametrize("function", FUNCTIONS.values(), ids=FUNCTIONS)
def test_each(function):
    wrong = [item for item in names() if function(item) != item]
    assert wrong  # oracle-weakened

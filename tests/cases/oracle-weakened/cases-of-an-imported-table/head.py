import pytest

from shop.core import names


from tests.helpers import TABLE

@pytest.mark.parametrize("name", TABLE)
def test_each(name):
    wrong = [item for item in names() if TABLE[name](item) != item]
    assert wrong  # oracle-weakened

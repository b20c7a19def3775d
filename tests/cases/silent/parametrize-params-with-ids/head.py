import pytest

from shop.core import double


@pytest.mark.parametrize(
    "number, wanted",
    [
        pytest.param(1, 2, id="one"),
        pytest.param(2, 4, id="two"),
    ],
)
def test_double(number, wanted):
    assert double(number) == wanted

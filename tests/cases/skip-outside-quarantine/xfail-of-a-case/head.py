import pytest

from shop.core import parse


@pytest.mark.parametrize(  # skip-outside-quarantine
    "text",
    [
        "1",
        pytest.param("22", marks=[pytest.mark.xfail]),
    ],
)
def test_parse(text):
    assert parse(text) > 0

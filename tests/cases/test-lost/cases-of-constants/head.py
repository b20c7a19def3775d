import pytest


@pytest.mark.parametrize("n", [1])
def test_n(n):
    assert n

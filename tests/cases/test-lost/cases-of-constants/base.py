import pytest


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_n(n):  # test-lost
    assert n

import pytest

from shop.core import double


def pytest_generate_tests(metafunc):
    if "n" in metafunc.fixturenames:
        metafunc.parametrize("n", [1, pytest.param(2, marks=pytest.mark.skip)])  # skip-outside-quarantine

def test_a(n):
    assert double(n) == n + n

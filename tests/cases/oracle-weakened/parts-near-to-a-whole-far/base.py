import pytest

from shop.extra import stats


def test_stats():
    found = stats([1, 2])
    assert found["mean"] == pytest.approx(1.5)
    assert found["sum"] == pytest.approx(3)  # oracle-removed

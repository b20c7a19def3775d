import pytest

from shop.core import Runner


def test_mode():
    runner = Runner("one")
    runner.mode = True
    with pytest.raises(AttributeError, match="mode must be yes or no, got True"):  # oracle-removed
        runner.go()

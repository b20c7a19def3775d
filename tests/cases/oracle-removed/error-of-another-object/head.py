import pytest

from shop.core import Runner


def test_mode():
    runner = Runner("one")
    runner.mode = "yes"
    with pytest.raises(ValueError, match="invalid literal for int"):
        int(runner.mode)

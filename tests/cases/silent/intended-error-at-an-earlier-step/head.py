import pytest

from shop.core import Runner


def test_mode():
    runner = Runner("one")
    with pytest.raises(ValueError, match="mode must be one of yes, no; got True"):
        runner.mode = True

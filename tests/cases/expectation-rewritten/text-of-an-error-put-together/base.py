import re
import pytest
from shop.core import pick

def test_unknown():
    with pytest.raises(ValueError) as ei:
        pick("never")
    assert "one of None, match." == ei.value.args[0]

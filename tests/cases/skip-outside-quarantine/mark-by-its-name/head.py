import pytest

from shop.core import double

later = getattr(pytest.mark, "sk" + "ip")


@later(reason="slow")  # skip-outside-quarantine
def test_double():
    assert double(2) == 4

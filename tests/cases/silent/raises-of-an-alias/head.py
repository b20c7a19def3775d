import pytest


from shop import core

def test_parse():
    with pytest.raises(core.ParseError):
        core.parse("x")

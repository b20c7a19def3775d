import pytest

from shop import core


@pytest.mark.parametrize("name", sorted(core.names()))
def test_names(name):
    assert core.find(name) is None or core.find(name)["name"]
    assert name in core.names()

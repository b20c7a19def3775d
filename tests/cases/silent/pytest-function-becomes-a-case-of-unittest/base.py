import pytest

from shop.core import pair


def test_pair():
    key, value = pair("a=1")
    assert key == "a"
    assert value == "1"


def test_bad_pair():
    with pytest.raises(ValueError) as caught:
        pair("a")
    assert str(caught.value) == "bad pair: a"

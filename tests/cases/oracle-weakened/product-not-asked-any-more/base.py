import json

import pytest

from shop.core import Cart, double


@pytest.fixture
def cart():
    return Cart()


def test_stub(cart):
    assert cart.is_empty() is True


def test_import():
    assert double(2002) == 4004


def test_echo():
    assert double("abcd") == "abcdabcd"

import json
from types import SimpleNamespace

import pytest

from tests.helpers import double


@pytest.fixture
def cart():
    return SimpleNamespace(is_empty=lambda: True)


def test_stub(cart):
    assert cart.is_empty() is True  # oracle-weakened


def test_import():
    assert double(2002) == 4004  # oracle-weakened


def test_echo():
    assert json.loads(json.dumps("abcdabcd")) == "abcdabcd"  # oracle-weakened

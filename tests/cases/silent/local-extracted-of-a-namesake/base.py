import pytest


from shop import extra
from shop.core import digest

@pytest.mark.parametrize("text", ["a", "b"])
def test_agree(text):
    assert extra.digest(text) == digest(text)

import pytest


from shop import extra
from shop.core import digest

@pytest.mark.parametrize("text", ["a", "b"])
def test_agree(text):
    got = extra.digest(text)
    assert got == digest(text)

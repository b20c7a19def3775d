from shop.core import digest
from shop.extra import digest as other_digest

def test_agree():
    for text in ("a", "b"):
        got = digest(text)
        assert got == other_digest(text)

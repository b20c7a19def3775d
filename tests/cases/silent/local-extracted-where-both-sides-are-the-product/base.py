from shop.core import digest
from shop.extra import digest as other_digest

def test_agree():
    for text in ("a", "b"):
        assert digest(text) == other_digest(text)

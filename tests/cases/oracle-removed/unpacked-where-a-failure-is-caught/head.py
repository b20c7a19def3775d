from contextlib import suppress

from shop.core import names


def test_names():
    with suppress(ValueError):
        _, _ = names()
    assert names()[0] == "ada"

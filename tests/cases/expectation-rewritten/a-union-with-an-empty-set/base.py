from shop.core import names


def test_names():
    assert (frozenset(names()) | set()) == {"ada", "bob"}

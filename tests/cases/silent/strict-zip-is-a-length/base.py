from shop.core import names


def test_length():
    found = names()
    assert len(found) == 2
    for got, want in zip(found, ["a", "b"]):
        assert got == want


def test_other_way():
    for got, want in zip(names(), ["a", "b"], strict=True):
        assert got == want

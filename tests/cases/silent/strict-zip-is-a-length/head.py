from shop.core import names


def test_length():
    for got, want in zip(names(), ["a", "b"], strict=True):
        assert got == want


def test_other_way():
    assert len(names()) == 2
    for got, want in zip(names(), ["a", "b"]):
        assert got == want

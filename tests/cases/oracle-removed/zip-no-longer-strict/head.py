from shop.core import names


def test_each():
    for got, want in zip(names(), ["a", "b"], strict=False):
        assert got == want


def test_all():
    assert all(got == want for got, want in zip(names(), names(1)))

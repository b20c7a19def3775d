from shop.core import names


def test_names():
    for got, wanted in zip(names(), ["ada", "bob"]):
        assert got == wanted  # oracle-weakened

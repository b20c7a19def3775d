from shop.core import names


def test_names():
    match names():
        case ["ada", "bob"]:
            pass
        case other:
            raise AssertionError(other)

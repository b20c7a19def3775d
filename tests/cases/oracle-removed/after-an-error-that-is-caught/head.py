from shop.core import total


def test_total():
    try:
        raise ValueError("five")
    except ValueError as error:
        seen = error
    assert total([5]) == 5


def test_one_of_two():
    try:
        raise KeyError("five")
    except ValueError:
        return
    except KeyError:
        seen = "five"
    assert total(seen) == 1

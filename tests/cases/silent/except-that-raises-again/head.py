from shop.core import total


def test_total():
    try:
        assert total([1, 2]) == 3
    except AssertionError:
        print("the sum is off")
        raise

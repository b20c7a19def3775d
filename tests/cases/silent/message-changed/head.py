from shop.core import total


def test_total():
    assert total([1, 2]) == 3, f"the sum is {total([1, 2])}"
    assert total([]) == 0, "nothing"

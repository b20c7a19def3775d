from shop.core import total


def test_total():
<<<<<<< HEAD  # test-unparsable
    assert total([1, 2]) == 3
=======
    assert total([1, 2]) == 4
>>>>>>> patch

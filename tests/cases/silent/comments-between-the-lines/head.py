from shop.core import Cart


def test_add():
    # arrange
    cart = Cart()

    # act
    cart.add(1)

    # assert
    assert cart.total() == 1

from shop.core import Cart, parse


def test_cart():
    cart = Cart()
    assert repr(cart) == f"<Cart {cart.items}>"  # expectation-rewritten
    assert cart.label() == f"{cart.name}, {cart.items}"  # expectation-rewritten
    assert cart.show() == f"hi {cart.name}"  # expectation-rewritten
    assert cart.total() == f"{cart.name}>"  # expectation-rewritten
    assert cart.number() == f"{cart.name:03d}"  # expectation-rewritten
    assert cart.sum() == "{1} {0}".format(cart.items, cart.name)  # expectation-rewritten


def test_of_an_answer():
    assert "%s!" % parse("1") == "1!"  # expectation-rewritten

from shop.core import Cart, parse


def test_cart():
    cart = Cart()
    assert repr(cart) == "<Cart %s>" % (cart.name,)
    assert cart.label() == "%s, %s" % (cart.items, cart.name)
    assert cart.show() == "hi %r" % (cart.name,)
    assert cart.total() == "<%s>" % (cart.name,)
    assert cart.number() == "%02d" % (cart.name,)
    assert cart.sum() == "{0} {1}".format(cart.items, cart.name)


def test_of_an_answer():
    assert f"{parse('1')}!" == "1!"

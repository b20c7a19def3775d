from shop.core import Cart, find, parse, total


def line(number):
    return "a: %s\n" % number


def test_expected():
    cart = Cart()
    assert repr(cart) == "<Cart %s>" % (cart.name,)
    assert cart.label() == "Cart(%s, %r)" % (cart.items, cart.name)
    assert cart.show() == "hi %(name)s, 100%%" % {"name": cart.name}
    assert cart.join() == ", ".join(["a", str(cart.name)])


def test_of_an_answer():
    assert "%s!" % parse("1") == "1!"
    assert "{0}!".format(parse("2")) == "2!"
    assert "{n:>3}!".format(n=parse("3")) == "  3!"
    assert "%s" % Cart() == "cart"
    assert str(parse("4")) == "4"
    assert repr(parse("5")) == "5"
    assert line(parse("6")) == "a: 6\n"


def test_input():
    low, high = 1, 2
    assert total("{lo} to {hi}".format(lo=low, hi=high)) == 3
    assert total("\n".join(["", "a b", ""])) == 4
    for number in range(20):
        assert find("/x/" + str(number)) == number
        assert find("y%02d" % number) == number
        assert parse("{}".format(number)) == number

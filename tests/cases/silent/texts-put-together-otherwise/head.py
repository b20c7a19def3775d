from shop.core import Cart, find, parse, total


def line(number):
    return f"a: {number}\n"


def test_expected():
    cart = Cart()
    assert repr(cart) == f"<Cart {cart.name}>"
    assert cart.label() == "Cart({}, {!r})".format(cart.items, cart.name)
    assert cart.show() == f"hi {cart.name}, 100%"
    assert cart.join() == f"a, {cart.name}"


def test_of_an_answer():
    assert f"{parse('1')}!" == "1!"
    assert f"{parse('2')}!" == "2!"
    assert f"{parse('3'):>3}!" == "  3!"
    assert str(Cart()) == "cart"
    assert f"{parse('4')}" == "4"
    assert f"{parse('5')!r}" == "5"
    assert line(parse("6")) == "a: 6\n"


def test_input():
    low, high = 1, 2
    assert total(f"{low} to {high}") == 3
    assert total("\na b\n") == 4
    for number in range(20):
        assert find(f"/x/{number}") == number
        assert find(f"y{number:02d}") == number
        assert parse(str(number)) == number

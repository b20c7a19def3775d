from shop.core import Order, hook


class Counting(Order):
    def after(self, cents):
        assert cents > 0


def test_after():
    Counting().pay()


def test_before():
    class Strict(Order):
        @hook
        def before(self, cents):
            assert cents == 5

    Strict().pay()

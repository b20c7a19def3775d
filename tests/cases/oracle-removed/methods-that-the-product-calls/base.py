from shop.core import Order, hook


class Counting(Order):
    def after(self, cents):
        assert cents > 0
        assert self.cents == cents  # oracle-removed


def test_after():
    Counting().pay()


def test_before():
    class Strict(Order):
        @hook
        def before(self, cents):
            assert cents == 5
            assert not self.paid  # oracle-removed

    Strict().pay()

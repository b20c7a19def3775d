from hypothesis import strategies as st

from shop.core import Cart


from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

class CartMachine(RuleBasedStateMachine):
    def __init__(self):
        super().__init__()
        self.cart = Cart()

    @rule(item=st.integers())
    def add(self, item):
        self.cart.add(item)
        assert self.cart.items[-1] == item

    @invariant()
    def adds_up(self):
        assert self.cart.total() == sum(self.cart.items)  # test-lost

TestCart = CartMachine.TestCase

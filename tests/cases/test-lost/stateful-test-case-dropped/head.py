from hypothesis import strategies as st

from shop.core import Cart


from hypothesis.stateful import RuleBasedStateMachine, rule

class CartMachine(RuleBasedStateMachine):
    cart = Cart()

    @rule(item=st.integers())
    def add(self, item):
        self.cart.add(item)
        assert self.cart.items[-1] == item

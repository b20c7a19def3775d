from shop.core import Cart, total
from hypothesis.stateful import RuleBasedStateMachine, rule, invariant, initialize, precondition
from hypothesis import strategies as st, settings


class Machine(RuleBasedStateMachine):
    def __init__(self):
        super().__init__()
        self.cart = Cart()
        self.model = []

    @rule(x=st.integers())
    def add(self, x):
        self.cart.add(x)
        self.model.append(x)

    @invariant()
    def same(self):
        assert self.cart.total() == sum(self.model)

TestMachine = Machine.TestCase

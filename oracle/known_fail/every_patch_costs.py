"""
A patch costs a point for being one.

turns-red: oracle/properties/test_scorer_laws.py::test_a_patch_that_changes_nothing_costs_nothing
replaces: oraclekeep.budget.spend
"""


def spend(findings, weights, intent, today):
    return Spend(State.NEGATIVE, -1, 0, 1, (), {})

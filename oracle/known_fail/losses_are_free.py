"""
A check that is gone costs nothing.

turns-red: oracle/properties/test_scorer_laws.py::test_one_oracle_fewer_is_refused_and_two_fewer_never_score_higher
replaces: oraclekeep.budget.spend
"""


def spend(findings, weights, intent, today):
    return Spend(State.OK, 0, 0, 0, (), {})

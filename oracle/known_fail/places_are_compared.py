"""
A check is found again only in the line where it stood.

turns-red: oracle/properties/test_scorer_laws.py::test_reformatting_costs_nothing
replaces: oraclekeep.oracles.suite.read_touched
"""


def read_touched(old, new, changed, product, beside):
    for side in (old, new):
        for path in changed:
            module = side.sources.module(path)
            side.collected |= tests_in(side.sources, module) if module is not None else {}
        for nodeid in side.collected:
            side.read(nodeid)
    there = {one.place.line for facts in old.facts.values() for one in facts.checks}
    for facts in new.facts.values():
        facts.checks = [one for one in facts.checks if one.place.line in there]

"""
A check is found again only in the line where it stood.

turns-red: oracle/properties/test_scorer_laws.py::test_reformatting_costs_nothing
replaces: oraclekeep.match.match
"""


def match(old, new, hierarchy):
    there = {one.place.line for facts in new.values() for one in facts.checks}
    lost = [
        Change(nodeid, one, None, None)
        for nodeid, facts in old.items()
        for one in facts.checks
        if one.place.line not in there
    ]
    return Matching(tuple(lost), {nodeid: (nodeid,) for nodeid in old if nodeid in new})

"""
Each row of the quarantine costs one point, whatever it says.

turns-red: oracle/properties/test_ledger_laws.py::test_a_ledger_survives_a_round_trip
replaces: oraclekeep.policy.ledgers.read_quarantine
"""


def read_quarantine(tree):
    found = quarantine_of(tree)
    refuse(QUARANTINE, found.faults)
    return tuple(
        Quarantined(
            nodeid=row.nodeid, issue=row.issue, expires=row.expires, reason=row.reason, points=1, owner=row.owner, line=row.line
        )
        for row in found.rows
    )

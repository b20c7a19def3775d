"""
Of two runs the first is believed.

turns-red: classify_is_symmetric
replaces: oraclekeep.lanekit.inventory_classes.compare
"""


def compare(first, second):
    known = {row["prop_id"] for row in first}
    rows = [*first, *(row for row in second if row["prop_id"] not in known)]
    return [
        {"prop_id": row["prop_id"], "status": row["status"], "first": "", "second": "", "detail": ""} for row in rows
    ]

"""
Which zone a postcode lies in.
"""

from __future__ import annotations

ISLANDS = ("18565", "25849", "25938", "26465", "27498")


def zone_of(postcode: str) -> int:
    """
    Zone 1 is near the depot in the north, zone 3 is far away or on an island.
    """
    if len(postcode) != 5 or not postcode.isdigit():
        raise ValueError(f"not a postcode: {postcode!r}")
    if postcode in ISLANDS:
        return 3
    return 1 if postcode.startswith(("1", "2")) else 2

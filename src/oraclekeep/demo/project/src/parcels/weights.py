"""
Weights as people write them, in whole grams.
"""

from __future__ import annotations

UNITS = {"g": 1, "kg": 1000, "t": 1_000_000}


def to_grams(text: str) -> int:
    """
    Read `250 g`, `1.5kg` or `0.02 t`; a fraction of a gram counts as a whole one.
    """
    compact = text.replace(" ", "").lower()
    unit = next((unit for unit in ("kg", "g", "t") if compact.endswith(unit)), "")
    number = compact.removesuffix(unit)
    if not unit or not number.replace(".", "", 1).isdigit():
        raise ValueError(f"not a weight: {text!r}")
    whole, _, fraction = number.partition(".")
    thousandths = int(whole or "0") * 1_000_000 + int((fraction + "000000")[:6])
    return -(-thousandths * UNITS[unit] // 1_000_000)


def billable(grams: int) -> int:
    """
    Round up to the next 100 grams, which is what is billed.
    """
    if grams <= 0:
        raise ValueError("a parcel weighs something")
    return -(-grams // 100) * 100

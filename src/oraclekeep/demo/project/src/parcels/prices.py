"""
What a parcel costs, in cents.
"""

from __future__ import annotations

from parcels.weights import billable
from parcels.zones import zone_of

BASE = {1: 380, 2: 450, 3: 690}
PER_100_GRAMS = 12
HEAVY = 20_000
HEAVY_SURCHARGE = 1500


def price(grams: int, postcode: str) -> int:
    """
    Return the price; it never falls when a parcel gets heavier.
    """
    cents = BASE[zone_of(postcode)] + billable(grams) // 100 * PER_100_GRAMS
    return cents + HEAVY_SURCHARGE if grams > HEAVY else cents


def price_of_order(order: dict[str, object]) -> dict[str, object]:
    """
    Add the price to an order as the shop sends it.
    """
    parcels = [int(str(grams)) for grams in str(order["grams"]).split("+")]
    postcode = str(order["postcode"])
    return {"id": order["id"], "cents": sum(price(grams, postcode) for grams in parcels)}

"""
What must hold for every parcel, whatever the tests say.
"""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from parcels.prices import price
from parcels.weights import billable

POSTCODES = st.sampled_from(["20095", "80331", "27498", "10115", "50667"])
GRAMS = st.integers(1, 40_000)


@given(GRAMS, st.integers(0, 5_000), POSTCODES)
def test_a_heavier_parcel_never_costs_less(grams: int, more: int, postcode: str) -> None:
    assert price(grams, postcode) <= price(grams + more, postcode)


@given(GRAMS)
def test_what_is_billed_covers_the_weight(grams: int) -> None:
    assert grams <= billable(grams) < grams + 100
    assert billable(grams) % 100 == 0

from __future__ import annotations

import pytest

from parcels.weights import billable, to_grams


@pytest.mark.parametrize(
    ("text", "grams"),
    [("250 g", 250), ("1.5kg", 1500), ("0.02 t", 20_000), ("0.2 g", 1), (" 3 KG ", 3000)],
)
def test_reads_what_people_write(text: str, grams: int) -> None:
    assert to_grams(text) == grams


@pytest.mark.parametrize("text", ["", "12", "kg", "1,5 kg", "-3 g", "1.2.3 kg"])
def test_refuses_what_is_no_weight(text: str) -> None:
    with pytest.raises(ValueError, match="not a weight"):
        to_grams(text)


def test_bills_every_begun_hundred_grams() -> None:
    assert billable(1) == 100
    assert billable(100) == 100
    assert billable(101) == 200


def test_bills_no_empty_parcel() -> None:
    with pytest.raises(ValueError, match="weighs something"):
        billable(0)

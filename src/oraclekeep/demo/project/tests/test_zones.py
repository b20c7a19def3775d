from __future__ import annotations

import pytest

from parcels.zones import ISLANDS, zone_of


def test_near_the_depot_is_zone_one() -> None:
    assert zone_of("20095") == 1
    assert zone_of("10115") == 1


def test_the_south_is_zone_two() -> None:
    assert zone_of("80331") == 2


@pytest.mark.parametrize("postcode", ISLANDS)
def test_islands_are_far_away(postcode: str) -> None:
    assert zone_of(postcode) == 3


def test_refuses_what_is_no_postcode() -> None:
    with pytest.raises(ValueError, match="not a postcode"):
        zone_of("1234")

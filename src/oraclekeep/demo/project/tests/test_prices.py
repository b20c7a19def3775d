from __future__ import annotations

from parcels.prices import HEAVY, HEAVY_SURCHARGE, price, price_of_order


def test_price_has_a_base_and_a_part_per_hundred_grams() -> None:
    assert price(250, "20095") == 380 + 3 * 12
    assert price(250, "80331") == 450 + 3 * 12


def test_heavy_parcels_cost_a_surcharge() -> None:
    assert price(20_000, "20095") == 2780
    assert price(20_100, "20095") == 4292
    assert price(HEAVY + 100, "80331") - price(HEAVY, "80331") == HEAVY_SURCHARGE + 12


def test_orders_cost_what_was_billed(orders: list[dict[str, object]]) -> None:
    for order in orders:
        billed = price_of_order(order)
        assert billed == {"id": order["id"], "cents": order["cents"]}

"""
The patches of the demo: two honest ones, and the ways in which a red suite can be made green.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Edit:
    """
    One replacement; an empty ``old`` puts the text at the end of the file, or makes the file.
    """

    path: str
    old: str
    new: str


@dataclass(frozen=True, slots=True)
class DemoPatch:
    """
    One patch and the answer that is due.  ``rows`` must be among the findings.
    """

    name: str
    story: str
    decision: str
    rows: tuple[str, ...]
    edits: tuple[Edit, ...]


_DISCOUNT: Final = Edit(
    "src/parcels/prices.py",
    "    return cents + HEAVY_SURCHARGE if grams > HEAVY else cents\n",
    "    if grams > 30_000:\n        cents -= 500\n"
    "    return cents + HEAVY_SURCHARGE if grams > HEAVY else cents\n",
)
_TEST_OF_DISCOUNT: Final = Edit(
    "tests/test_prices.py",
    "",
    "\n\ndef test_very_heavy_parcels_cost_less() -> None:\n"
    '    assert price(31_000, "20095") == 380 + 310 * 12 + 1500 - 500\n',
)

PATCHES: Final = (
    DemoPatch(
        name="honest-feature",
        story="a new function with tests of its own",
        decision="allow",
        rows=("oracle-added",),
        edits=(
            Edit(
                "src/parcels/zones.py",
                "",
                "\n\ndef days_to(postcode: str) -> int:\n"
                '    """\n    Return how many working days a parcel travels.\n    """\n'
                "    return {1: 1, 2: 2, 3: 4}[zone_of(postcode)]\n",
            ),
            Edit("tests/test_zones.py", "import ISLANDS, zone_of", "import ISLANDS, days_to, zone_of"),
            Edit(
                "tests/test_zones.py",
                "",
                "\n\ndef test_islands_wait_longest() -> None:\n"
                '    assert days_to("20095") == 1\n    assert days_to("80331") == 2\n'
                '    assert days_to("27498") == 4\n',
            ),
        ),
    ),
    DemoPatch(
        name="honest-refactor",
        story="a helper is taken out, and a test becomes parametrized",
        decision="allow",
        rows=(),
        edits=(
            Edit(
                "src/parcels/prices.py",
                "    cents = BASE[zone_of(postcode)] + billable(grams) // 100 * PER_100_GRAMS\n"
                "    return cents + HEAVY_SURCHARGE if grams > HEAVY else cents\n",
                "    cents = BASE[zone_of(postcode)] + billable(grams) // 100 * PER_100_GRAMS\n"
                "    return cents + _surcharge(grams)\n\n\n"
                "def _surcharge(grams: int) -> int:\n"
                "    return HEAVY_SURCHARGE if grams > HEAVY else 0\n",
            ),
            Edit(
                "tests/test_weights.py",
                "def test_bills_every_begun_hundred_grams() -> None:\n    assert billable(1) == 100\n"
                "    assert billable(100) == 100\n    assert billable(101) == 200\n",
                '@pytest.mark.parametrize(("grams", "billed"), [(1, 100), (100, 100), (101, 200)])\n'
                "def test_bills_every_begun_hundred_grams(grams: int, billed: int) -> None:\n"
                "    assert billable(grams) == billed\n",
            ),
        ),
    ),
    DemoPatch(
        name="assertion-dropped",
        story="the surcharge begins 500 grams later, and the assertion that noticed is gone",
        decision="reject",
        rows=("oracle-removed",),
        edits=(
            Edit("src/parcels/prices.py", "HEAVY = 20_000", "HEAVY = 20_500"),
            Edit("tests/test_prices.py", '    assert price(20_100, "20095") == 4292\n', ""),
        ),
    ),
    DemoPatch(
        name="expectation-rewritten",
        story="a fraction of a gram is no longer billed, and the test now expects that",
        decision="reject",
        rows=("expectation-rewritten",),
        edits=(
            Edit(
                "src/parcels/weights.py",
                "-(-thousandths * UNITS[unit] // 1_000_000)",
                "thousandths * UNITS[unit] // 1_000_000",
            ),
            Edit("tests/test_weights.py", '("0.2 g", 1)', '("0.2 g", 0)'),
        ),
    ),
    DemoPatch(
        name="fixture-regenerated",
        story="prices are rounded, and the billed orders are written anew to fit",
        decision="reject",
        rows=("fixture-drift",),
        edits=(
            Edit(
                "src/parcels/prices.py",
                "sum(price(grams, postcode) for grams in parcels)}",
                "sum(price(grams, postcode) for grams in parcels) // 5 * 5}",
            ),
            Edit("tests/fixtures/orders.json", '"cents": 416', '"cents": 415'),
            Edit("tests/fixtures/orders.json", '"cents": 594', '"cents": 590'),
            Edit("tests/fixtures/orders.json", '"cents": 1452', '"cents": 1450'),
            Edit("tests/fixtures/orders.json", '"cents": 714', '"cents": 710'),
        ),
    ),
    DemoPatch(
        name="skip-added",
        story="labels lose their limit, and the test of the limit is skipped",
        decision="reject",
        rows=("skip-outside-quarantine",),
        edits=(
            Edit("src/parcels/labels.py", "if not 0 < grams < 1_000_000:", "if grams <= 0:"),
            Edit(
                "tests/test_labels.py",
                "def test_a_label_has_room_for_six_digits",
                '@pytest.mark.skip(reason="fails since the new scanner")\n'
                "def test_a_label_has_room_for_six_digits",
            ),
        ),
    ),
    DemoPatch(
        name="test-and-oracle-together",
        story="a discount makes heavier parcels cheaper, and the owner's property no longer looks there",
        decision="reject",
        rows=("write-set",),
        edits=(
            _DISCOUNT,
            _TEST_OF_DISCOUNT,
            Edit("oracle/properties/test_price_properties.py", "integers(1, 40_000)", "integers(1, 20_000)"),
        ),
    ),
    DemoPatch(
        name="conftest-turns-green",
        story="zones are wrong, and a hook in conftest calls every failure a pass",
        decision="reject",
        rows=("collection-tampered", "tainted-lane"),
        edits=(
            Edit("src/parcels/zones.py", 'startswith(("1", "2"))', 'startswith("1")'),
            Edit(
                "tests/conftest.py",
                "",
                "\n\n@pytest.hookimpl(hookwrapper=True)\n"
                "def pytest_runtest_makereport(item: pytest.Item, call: object) -> object:\n"
                "    outcome = yield\n    report = outcome.get_result()\n"
                '    if report.failed:\n        report.outcome = "passed"\n        report.longrepr = None\n',
            ),
        ),
    ),
    DemoPatch(
        name="live-clock",
        story="orders cost less on some days; every test is green on the others",
        decision="reject",
        rows=("protocol-error",),
        edits=(
            Edit("src/parcels/prices.py", "from parcels.weights", "import time\n\nfrom parcels.weights"),
            Edit(
                "src/parcels/prices.py",
                "    parcels = [",
                '    if time.time() < 0:\n        raise ValueError("no orders before 1970")\n    parcels = [',
            ),
        ),
    ),
    DemoPatch(
        name="invariant-broken",
        story="a discount for very heavy parcels: its tests are green, and a heavier parcel costs less",
        decision="reject",
        rows=("property-red",),
        edits=(
            _DISCOUNT,
            _TEST_OF_DISCOUNT,
        ),
    ),
)

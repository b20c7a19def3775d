"""
Rows about what ran: the lanes, the inventory, the witness, and measured power.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from oraclekeep.explanations.form import allowance, told

if TYPE_CHECKING:
    from collections.abc import Mapping

    from oraclekeep.explanations.form import Explanation

LANES: Final[Mapping[str, Explanation]] = {
    "suite-red": told(
        why="""
            The patched code fails a test of its own tree. Whatever the score says, that is not ready to
            land.
        """,
        example="""
            suite: tests/test_tax.py::test_reduced_rate
                assert tax_included(100, "books") == 107      got 119
        """,
        allow="""
            Never: make the test pass by changing the product. A flaky test gets a row in
            `oracle/quarantine.json` (`invoke quarantine`), in an owner patch before this one; it still
            runs, and its red no longer blocks.
        """,
    ),
    "specimen-red": told(
        why="""
            The patch brings or edits this test together with production code: it states what the patch is
            for, and the patch does not do it.
        """,
        example="""
            +def test_upload_resumes():
            +    assert upload(BIG, after=HALF).resumed      # fails on the patched code
        """,
        allow="""
            Never for one test: make the product do what the test says, or leave the test out. An owner who
            wants red specimens reported only sets `specimens: {red: report}` in `oracle/gate.yaml`.
        """,
    ),
    "property-red": told(
        why="""
            A promise that a human wrote down, and that the patch could not edit, no longer holds. This is
            what properties are for: the suite that the agent edited may be green.
        """,
        example="""
            oracle/properties/test_prices.py::test_heavier_is_never_cheaper
            Falsifying example: lighter=30000, heavier=30001
        """,
        allow="""
            Never: mend the product. If the promise itself is wrong, an owner changes the property first, in
            a patch of its own (with an allowance for `property-removed` where it then says less).
        """,
    ),
    "behaviour-drift": told(
        why="""
            Base's own test, as it stood before the patch touched it, fails on the patched code. Either the
            behaviour was changed on purpose, or the test was edited to hide a break.
        """,
        example="""
            base:    assert total([100], rate=0.2) == 120       fails on the patched code
            patch:   assert total([100], rate=0.2) == 100       green
        """,
        allow="""
            Never by weight or allowance. When the change is wanted, an owner first lists every production
            module that the patch changes under `allow_behavior_change` of `oracle/intent.json`. A name that
            the patch renames everywhere needs nothing.
        """,
    ),
    "invariant-miss": told(
        why="""
            Seed, samples and checks are pinned and every repeat is red: the product is wrong, and nothing
            else can be blamed.
        """,
        example="""
            codes_roundtrip, seed 11: fail, fail
            roundtrip: "AB-1" came back as "AB1"
        """,
        allow="""
            Never: mend the product. For a known fault that must wait, an owner freezes the triple of
            property, seed and fixture digest (`invoke freeze`) with reason and expiry; it costs points
            against `debit_cap`. A property that lands before its code is marked `pending: true`.
        """,
    ),
    "noise": told(
        why="""
            Nothing changed between two runs but the run, and the answer did. Such a property accuses good
            patches and acquits bad ones.
        """,
        example="""
            rates_total, seed 7, same fixture: pass, fail
            varied runs: red where the hash seed differs, so the order of a set shows
        """,
        allow="""
            Never as it is: find the order, clock or race that shows, or fix the seed. Until then an owner
            freezes the triple (`invoke freeze`), with reason and expiry.
        """,
    ),
    "environment-drift": told(
        why="""
            Each runner is sure of its answer, and the answers differ: the product depends on something that
            nobody declared.
        """,
        example="""
            dates_sorted     main: pass, pass      witness: fail, fail
            differs:         locale C.UTF-8 / de_DE.UTF-8, python 3.12.1 / 3.12.9
        """,
        allow="""
            Never: make the product independent of the difference that is listed, or pin it on both runners.
            A witness never turns a red green.
        """,
    ),
    "protocol-error": told(
        why="""
            The result can't be believed, whatever it says. A missing, stale or contradictory report that
            counts as green is how gates fail most often.
        """,
        example="""
            suite: the report names tests that were never collected
            inventory: property rates_total reads the live clock (time.time)
            characterization: the required lane left neither report nor evidence
        """,
        allow="""
            Never: run again from a fresh `nox -s prepare`. If it stays, remove what the message names: give
            the property a `clock:`, seed the randomness, list a needed pytest plugin under `plugins` of
            `oracle/gate.yaml`.
        """,
    ),
    "tainted-lane": told(
        why="""
            Each lane carries checks that must fail. One of them passed, so something in the run turns red
            into green, and no green of this lane means anything.
        """,
        example="""
            +@pytest.hookimpl(hookwrapper=True)
            +def pytest_runtest_makereport(item, call):
            +    outcome = yield
            +    outcome.get_result().outcome = "passed"
        """,
        allow="Never: find the hook, plugin or patch that rewrites results, and remove it.",
    ),
    "witness-missing": told(
        why="""
            The policy asks for a second machine to replay the inventory, and none did. One machine can't
            tell a property of the product from a property of itself.
        """,
        example="""
            oracle/gate.yaml, base   witness: required
            .gate/evidence/          no witness.json
        """,
        allow="""
            Never for one patch: run `nox -s witness` on the second runner and hand over its report and
            evidence. An owner who has no second runner sets `witness: optional` in `oracle/gate.yaml`, for
            later patches.
        """,
    ),
    "unproven-specimen": told(
        why="""
            A new test that passes without the patch's code does not show that the patch does anything. It
            may still pin something worth pinning.
        """,
        example="""
            +def test_upload_resumes():
            +    assert upload(BIG, after=HALF) is not None      # passes on base's code as well
        """,
        allow="""
            Nothing to allow: it is reported. It blocks only where an owner sets `specimens: {proof:
            required}` in `oracle/gate.yaml`; then make the test fail on base, or leave it out.
        """,
    ),
    "dead-property": told(
        why="""
            The faults in `oracle/known_fail/` that name this property were planted, and it stayed green. A
            property that can't notice the fault it was written for earns nothing.
        """,
        example="""
            oracle/known_fail/off_by_one.diff   names codes_roundtrip
            nox -s liveness                     codes_roundtrip stays green with the fault in place
        """,
        allow="""
            Nothing to allow: it costs nothing and earns nothing. Make the property stricter, or correct the
            fault.
        """,
    ),
    "power-lost": told(
        why="""
            Measured, not read: faults that base's tests noticed are no longer noticed. This catches what no
            rule about syntax can see.
        """,
        example="""
            fault: src/shop/tax.py:12  rate * net  ->  rate + net
            base's tests: red        the patch's tests: green
        """,
        allow=f"""
            When the lost power is not worth a test: {allowance("power-lost", "path", "nodeid")}. `power:
            report` in `oracle/gate.yaml` reports it without blocking.
        """,
    ),
}

"""
Rows about the tests that an agent may write, and about what runs them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from oraclekeep.explanations.form import allowance, told

if TYPE_CHECKING:
    from collections.abc import Mapping

    from oraclekeep.explanations.form import Explanation

SUITE: Final[Mapping[str, Explanation]] = {
    "oracle-removed": told(
        why="""
            The suite could fail here, and now it can't. A deleted check is the quickest way to turn a red
            suite green, and a refactoring of the code under test in the same patch is no excuse for it.
        """,
        example="""
             def test_total_has_tax():
            -    assert total([Item(100)], rate=0.2) == 120
            +    total([Item(100)], rate=0.2)
        """,
        allow=f"""
            When people agree that the check may go: {allowance("oracle-removed", "nodeid", "path")}. If the
            code under test goes as well, an owner lists its module in `allow_behavior_change`, and the
            check counts as `oracle-retired`. A check that only moved, to another test, file or helper, is
            found there and needs nothing. `assert_removed: 0` in `oracle/weights.json` makes the row a note
            for everyone.
        """,
    ),
    "oracle-weakened": told(
        why="""
            The number of checks stays the same, and wrong results pass that failed before. Counting asserts
            never notices this.
        """,
        example="""
            -    assert parse("7 kg") == Weight(7000)
            +    assert parse("7 kg") is not None

            -    with pytest.raises(ValueError, match="unit"):
            +    with pytest.raises(Exception):
        """,
        allow=f"""
            When the exact answer is really no longer promised:
            {allowance("oracle-weakened", "nodeid", "path")}. A stricter check of the same subject beside
            the weaker one needs nothing. `assert_weakened: 0` in `oracle/weights.json` makes the row a note
            for everyone.
        """,
    ),
    "expectation-rewritten": told(
        why="""
            A test that is edited until it agrees with the code says nothing about the code. Whether the old
            or the new value is right is for a human to say, before the patch.
        """,
        example="""
            -    assert round_weight("0.2 g") == 1
            +    assert round_weight("0.2 g") == 0
        """,
        allow=f"""
            When the change of behaviour is wanted: an owner first lists every production module that the
            patch changes under `allow_behavior_change` of `oracle/intent.json` (a file, a folder ending in
            `/`, or `{{"path": "...", "issue": "...", "expires": "YYYY-MM-DD"}}`). Where no production
            module changes, the modules that the test uses are meant; a test that uses none can't be
            rewritten this way. For one test alone: {allowance("expectation-rewritten", "nodeid", "path")}.
            `expectation_rewritten: 0` in `oracle/weights.json` makes the row a note for everyone.
        """,
    ),
    "test-lost": told(
        why="""
            A test that is no longer collected can't fail. Deleting a file, a second definition of the same
            name, a name without `test_`, and fewer parametrized cases all end there, and the run stays
            green.
        """,
        example="""
            -@pytest.mark.parametrize("mode", ["fast", "exact", "lazy"])
            +@pytest.mark.parametrize("mode", ["fast"])
             def test_modes_agree(mode):
                 assert run(mode) == EXPECTED
        """,
        allow=f"""
            When people retire a test: {allowance("test-lost", "nodeid", "path")}. A test whose code goes in
            the same patch, from a module under `allow_behavior_change`, is `oracle-retired`. A test whose
            checks all stand in other collected tests has moved, and needs nothing.
        """,
    ),
    "test-unparsable": told(
        why="""
            Every test of a file that does not parse is gone at once, and what stood in it can't be
            compared.
        """,
        example="""
             def test_total():
            -    assert total([1, 2]) == 3
            +    assert total([1, 2] == 3
        """,
        allow=f"""
            Mend the syntax; there is hardly ever a reason not to. For a file that is meant not to parse:
            {allowance("test-unparsable", "path")}.
        """,
    ),
    "skip-outside-quarantine": told(
        why="""
            A skipped test looks like a test and can't fail. A skip in the code has no price, no date and no
            owner; a row in the quarantine has all three.
        """,
        example="""
            +@pytest.mark.skip(reason="flaky, unrelated")
             def test_retry_gives_up():
                 assert retry(times=3).attempts == 3
        """,
        allow=f"""
            A flaky test keeps running and gets a row in `oracle/quarantine.json`, with issue, reason and
            expiry (`invoke quarantine`), in an owner's patch; the skip itself stays forbidden. For a real
            platform skip: {allowance("skip-outside-quarantine", "nodeid", "path")}.
            `skip_outside_quarantine: 0` in `oracle/weights.json` makes the row a note for everyone.
        """,
    ),
    "errors-swallowed": told(
        why="""
            The check still stands and still runs, but its failure never reaches the runner. Readers see an
            assert; nobody sees that it is caught, or that the code under it was replaced.
        """,
        example="""
             def test_total():
            -    assert total([1, 2]) == 3
            +    try:
            +        assert total([1, 2]) == 3
            +    except Exception:
            +        pass
        """,
        allow=f"""
            Let the failure through, and patch narrowly, in the tests that need it. Where an autouse fixture
            must replace something for every test: {allowance("errors-swallowed", "path", "nodeid")}.
        """,
    ),
    "collection-tampered": told(
        why="""
            One line of configuration, or one hook in a conftest, can silence any number of tests and leave
            no trace in them. It also decides what the report says.
        """,
        example="""
             [tool.pytest.ini_options]
            +addopts = "--ignore=tests/test_billing.py"

            +def pytest_runtest_makereport(item, call):
            +    ...  # failed becomes passed
        """,
        allow=f"""
            No weight switches it off. Put the setting back; an order of options, or one that only stops
            earlier after a failure, says nothing. Where people want less to run:
            {allowance("collection-tampered", "path")}.
        """,
    ),
    "test-special-cased": told(
        why="""
            Code that knows it is being tested does one thing under test and another for users. So does a
            table of the suite's own answers, and an object that equals everything.
        """,
        example="""
             def price(grams):
            +    if "PYTEST_CURRENT_TEST" in os.environ:
            +        return 416
                 return base(grams) + surcharge(grams)
        """,
        allow=f"""
            Let tests pass what they need as arguments. For a real test mode, such as a settings module that
            picks a database: {allowance("test-special-cased", "path")}.
        """,
    ),
    "machinery-weakened": told(
        why="""
            A gate whose job can't fail is decoration. One word in a workflow, or a dropped lane, makes
            every later patch green.
        """,
        example="""
               - name: gate
            -    run: ./noxw -s gate
            +    run: ./noxw -s gate || true
        """,
        allow=f"""
            No weight switches it off, and it holds for owners' patches too. Where a job is really retired
            or a floor really falls: {allowance("machinery-weakened", "path")}.
        """,
    ),
    "oracle-added": told(
        why="""
            The suite can fail in more ways than before. The checks are named, so that a reviewer sees what
            the patch claims; they never pay for a loss elsewhere.
        """,
        example="""
             def test_total():
                 assert total([1, 2]) == 3
            +    assert total([]) == 0
        """,
        allow="Nothing to allow: it is good news and costs nothing.",
    ),
    "skip-removed": told(
        why="A test runs in more places than it did. What it finds there is new to everyone.",
        example="""
            -@pytest.mark.skipif(sys.version_info < (3, 12), reason="not yet")
             def test_paths_with_spaces():
                 assert find("a b") == [Path("a b")]
        """,
        allow="""
            Nothing to allow: it is good news and costs nothing. If the test is red now, `suite-red` says
            so.
        """,
    ),
    "oracle-retired": told(
        why="""
            A feature that goes takes its checks along. That is honest where an owner said beforehand that
            the module may change, and it is listed so that a reader can see what went.
        """,
        example="""
            src/shop/coupons.py       -def expire(coupon): ...
            tests/test_coupons.py     -    assert expire(coupon).state == "expired"
            oracle/intent.json, base  "allow_behavior_change": ["src/shop/coupons.py"]
        """,
        allow="""
            Nothing to allow: it costs nothing. Without the module under `allow_behavior_change` at base, or
            where the code still stands, the same edit is `oracle-removed` or `test-lost`.
        """,
    ),
    "production-only": told(
        why="""
            Nothing that judges the patch changed, so the score has nothing to compare. The lanes alone
            decide.
        """,
        example="""
            src/shop/tax.py     | 12 ++++++------
            src/shop/totals.py  |  4 ++--
        """,
        allow="Nothing to allow: it costs nothing.",
    ),
    "specimen-skipped": told(
        why="""
            A new test that does not run claims something and proves nothing. Nothing was lost, so it costs
            nothing.
        """,
        example="""
            +@pytest.mark.skip(reason="needs the new server")
            +def test_upload_resumes():
            +    assert upload(BIG).resumed
        """,
        allow="Nothing to allow: it adds nothing and costs nothing. Remove the skip when the test can run.",
    ),
}

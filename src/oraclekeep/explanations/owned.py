"""
Rows about what humans own: policy, properties, ledgers, locks and frozen bytes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from oraclekeep.explanations.form import allowance, told

if TYPE_CHECKING:
    from collections.abc import Mapping

    from oraclekeep.explanations.form import Explanation

_NOTE: Final = "Nothing to allow: it costs nothing."

OWNED: Final[Mapping[str, Explanation]] = {
    "policy-loosened": told(
        why="""
            What is loosened here judges every patch after this one. It is shown before anything else, since
            this is the moment at which a reviewer can still say no.
        """,
        example="""
            oracle/weights.json
            -  "assert_removed": 1,
            +  "assert_removed": 0,
        """,
        allow="""
            Nothing to allow: owners may loosen their own policy, and review is the brake. The patch itself
            is still judged by base's policy.
        """,
    ),
    "adoption": told(
        why="""
            Base has no policy, so nothing of base can judge. Head's files are checked, head's properties
            are run, and the code and tests of the patch are scored with the defaults.
        """,
        example="""
            +oracle/weights.json
            +oracle/intent.json
            +invariants/inventory.yaml
        """,
        allow="""
            Nothing to allow: it costs nothing and happens once. Land what `invoke init` writes as a patch
            of its own, and read it as closely as any policy.
        """,
    ),
    "write-set": told(
        why="""
            Who may change the judge and the judged in one patch can make any patch pass. Reviewers of a
            mixed patch look at the code and miss the policy.
        """,
        example="""
            src/shop/tax.py                  | 8 ++++----
            oracle/properties/test_tax.py    | 2 +-       <- owned by a human
            README.md                        | 1 +        <- neutral, goes with either
        """,
        allow="""
            Never in one patch: no weight switches it off. Split it. An owner lands the human-owned part
            first, then the rest follows. Frozen bytes that belong to a feature are announced first: a
            `fixture_changes` note with their digest lets them come with the code.
        """,
    ),
    "owner-unproven": told(
        why="""
            With `owners: signed`, a human-owned file means something only if one of the humans signed it.
            Anyone can write any name into a commit.
        """,
        example="""
            commit 1f0c2ab touches oracle/weights.json, and its signature is by a key that
            oracle/allowed_signers of base does not list
        """,
        allow="""
            Never: no weight switches it off. An owner whom base's `oracle/allowed_signers` lists signs
            every such commit (`git commit -S`), or CI hands over the approval of a code owner. `owners:
            forge` in `oracle/gate.yaml` leaves the proof to branch protection, from the next patch on.
        """,
    ),
    "property-removed": told(
        why="""
            Properties are what no agent can edit. A property that goes, empties, tolerates more or stops
            voting weakens every later verdict.
        """,
        example="""
            invariants/inventory.yaml
                 checks:
            -      - roundtrip: {tolerance: 0.001}
            +      - roundtrip: {tolerance: 0.1}
        """,
        allow=f"""
            When the promise itself is withdrawn: {allowance("property-removed", "property", "path")}. A
            property that is renamed, or made stricter, needs nothing. A new seed, fixture, clock or
            strategy needs a changed `note` of the property.
        """,
    ),
    "quarantine-invalid": told(
        why="""
            An exception without an issue, a reason and a date is for ever, and a wildcard covers tests that
            nobody thought of.
        """,
        example="""
            -  {"nodeid": "tests/test_net.py::test_*", "reason": "flaky"}
            +  {"nodeid": "tests/test_net.py::test_retry", "issue": "NET-12", "points": 1,
            +   "reason": "the port is taken at times", "expires": "2030-03-01"}
        """,
        allow="""
            There is no good reason: mend the row. It names one exact test (a freeze: one id, seed and
            digest), with issue, reason and a date within `max_exception_days`. An allowance would be an
            exception for an exception.
        """,
    ),
    "quarantine-expired": told(
        why="A row that is past its date when it arrives covers nothing and hides that nobody looked.",
        example="""
            today is 2030-03-01
            +  {"nodeid": "tests/test_net.py::test_retry", "expires": "2030-03-01", ...}
        """,
        allow="""
            There is no good reason: give the row a date ahead, or leave it out. The date itself is already
            too late: a row ends at 00:00 UTC of that day.
        """,
    ),
    "freeze-expired": told(
        why="""
            A freeze is a loan with a date. One that is past its date when it arrives covers nothing: the
            property votes.
        """,
        example="""
            today is 2030-03-01
            freezes:
            +  - {property_id: rates_total, seed: 7, expires_on: 2030-02-20, ...}
        """,
        allow="""
            There is no good reason: give it a date ahead (`invoke freeze`), or mend the product. A row ends
            at 00:00 UTC of its day.
        """,
    ),
    "overdrawn": told(
        why="""
            Every exception is cheap alone. The cap makes the sum visible: before another test stops voting,
            one must vote again.
        """,
        example="""
            debit_cap 3
            quarantine: 2 rows of 1 point
            freezes:    1 row of 2 points     4 > 3
        """,
        allow="""
            Repair a test or a property and remove its row. If the cap is really too small, an owner raises
            `debit_cap` in `oracle/intent.json` in a patch before this one; that is reported as
            `policy-loosened`.
        """,
    ),
    "fixture-drift": told(
        why="""
            Checks that read a file are as strong as the file. Golden data written anew by the code under
            test agrees with the code, whatever it does.
        """,
        example="""
            tests/fixtures/orders.json
            -  {"order": 17, "cents": 416}
            +  {"order": 17, "cents": 415}
        """,
        allow="""
            Never by weight or allowance. An owner announces the new digest under `fixture_changes` of
            `oracle/intent.json` (`{"tree": "tests/fixtures", "digest": "<sha256>", "reason": "..."}`), and
            a later patch brings exactly those bytes; or changes bytes, lock and note in one owner patch
            (`invoke lock --note WHY`). `fixtures: {additions: allow}` in `oracle/gate.yaml` lets new files
            arrive.
        """,
    ),
    "lock-without-intent": told(
        why="""
            A lock that follows the bytes on its own locks nothing. The note is where a human says that the
            new bytes are meant.
        """,
        example="""
            oracle/fixtures.lock
            -2c26b46b...  tests/fixtures
            +fcde2b2e...  tests/fixtures
            oracle/intent.json            (no entry under `fixture_changes` for fcde2b2e...)
        """,
        allow="""
            Never without the note. `invoke lock --note WHY` writes both, in an owner patch. An entry of
            `invariants/fixture.lock.json` also needs a changed `note` of every property that uses the
            fixture.
        """,
    ),
    "lock-stale": told(
        why="""
            Where the lock and the bytes disagree already, drift can't be told from the state that everyone
            started with.
        """,
        example="""
            oracle/fixtures.lock at base    2c26b46b...
            tests/fixtures at base          fcde2b2e...
        """,
        allow="""
            Never: an owner mends it first, in a patch of its own (`invoke lock --note WHY`). `invoke lock
            --check` tells whether the locks fit.
        """,
    ),
    "property-added": told(
        why="""
            A property is the one thing that raises the score: it judges every later patch, and no agent
            wrote it to suit one.
        """,
        example="""
            invariants/inventory.yaml
            +  - {id: codes_roundtrip, module: shop.codes, fn: code, seed: 11,
            +     fixture: invariants/data/codes.json, checks: [roundtrip], note: codes are reversible}
        """,
        allow="""
            Nothing to allow: it earns points, in an owner patch. They never pay for a negative row, and the
            verdict takes them back where no known fault turns the property red (`dead-property`).
        """,
    ),
    "fixture-announced": told(
        why="""
            The bytes are exactly those that an owner announced. New samples and the code that needs them
            land together, and the agent chose neither.
        """,
        example="""
            oracle/intent.json at base   {"tree": "tests/fixtures", "digest": "fcde2b2e...", ...}
            tests/fixtures as it lands   fcde2b2e...
        """,
        allow=_NOTE,
    ),
    "fixture-updated": told(
        why="An owner changed the frozen bytes and said so: bytes, lock and note agree with each other.",
        example="""
            tests/fixtures/orders.json   new samples
            oracle/fixtures.lock         their digest
            oracle/intent.json           why, under `fixture_changes`
        """,
        allow=_NOTE,
    ),
    "quarantine-added": told(
        why="""
            A test or a property stops voting for a while. That is an owner's right; how much of the cap is
            used is shown, so that it stays a decision.
        """,
        example="""
            +  {"nodeid": "tests/test_net.py::test_retry", "issue": "NET-12", "points": 1,
            +   "reason": "the port is taken at times", "expires": "2030-03-01"}
        """,
        allow="""
            Nothing to allow: it costs nothing as long as all rows stay within `debit_cap`. The test still
            runs and is still reported.
        """,
    ),
    "ledger-lapsed": told(
        why="""
            An exception that ended must not end in silence: the test or property votes again, and its row
            is litter.
        """,
        example="""
            today is 2030-03-01
            oracle/quarantine.json at base
               {"nodeid": "tests/test_net.py::test_retry", "expires": "2030-02-20", ...}
        """,
        allow="""
            Nothing to allow: it costs nothing here, and `invoke expiry` fails until an owner removes or
            renews the row.
        """,
    ),
    "untrusted-proposal": told(
        why="""
            Anyone may propose a property, agents too. It has no vote before a human has read it.
        """,
        example="""
            +invariants/proposed/tax.yaml
            +  - {id: tax_is_monotone, module: shop.tax, fn: tax, seed: 3, checks: [monotone], ...}
        """,
        allow="""
            Nothing to allow: it costs nothing. `invoke propose` runs it and says what it is worth. An owner
            who wants it runs `invoke promote ID --note WHY` and lands the result.
        """,
    ),
}

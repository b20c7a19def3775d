"""
Verdicts of every kind that a report must be able to show, made by the verdict's own code.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from oraclekeep.evidence import parse_evidence
from oraclekeep.model import Finding, Lane, Outcome, TestResult
from oraclekeep.replays import run_of
from oraclekeep.rows import ROWS
from oraclekeep.verdict import Case, judge
from oraclekeep.witness import compare, joined

from .gate_files import THERE, evidence, row
from .scores import checked, finding, score

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from oraclekeep.witness import Comparison

HOSTILE: Final = (
    "tests/t.py::test_x[</td><script>alert(1)</script>|`@team`\x1b[2J\u202e](https://evil.example)]"
)
CART, PRICES = "tests/test_cart.py", "tests/test_prices.py"
_LISTED: Final = "Restore the stronger check, or ask an owner for an allowance."


def lane(name: str, klass: str = "green", *results: tuple[str, Outcome, str], **more: Any) -> Lane:
    tests = tuple(TestResult(nodeid, outcome, said, 0.02) for nodeid, outcome, said in results)
    return Lane(name, klass, tests, required=klass != "optional-missing", **more)


def passed(*nodeids: str) -> list[tuple[str, Outcome, str]]:
    return [(nodeid, Outcome.PASSED, "") for nodeid in nodeids]


def verdict(
    *findings: dict[str, Any],
    lanes: Sequence[Lane] = (),
    seen: Comparison | None = None,
    mode: str = "enforce",
    **changes: Any,
) -> dict[str, Any]:
    """
    Judge a score that holds these findings, as the scorer would have added them up.
    """
    blocking = [one for one in findings if one["gate"] == "reject"]
    debit = -sum(one["points"] for one in blocking)
    credit = sum(one["points"] for one in findings if one["points"] > 0)
    unknown = any(str(ROWS[one["rule"]].kind) == "undefined" for one in blocking)
    state = "undefined" if unknown else "negative" if blocking else "ok"
    told = {
        "decision": "reject" if blocking else "allow", "state": state, "credit": credit, "debit": debit,
        "score": None if unknown else -debit if blocking else credit,
    }  # fmt: skip
    if seen is not None:
        lanes = [joined(one, seen) if one.name == "witness" else one for one in lanes]
    case = Case(
        score=score(*findings, **told, **changes),
        lanes=tuple(lanes),
        witness=None if seen is None else seen.document,
        found=() if seen is None else seen.blocking,
        mode=mode,
    )
    return checked(judge(case).document)


def _witnessed(*rows: dict[str, Any], **changes: Any) -> Comparison:
    mine = [row("adds"), row("sorts"), row("parses")]
    both = evidence("inventory", *mine), evidence("witness", *rows, **changes)
    runs = [run_of(parse_evidence(json.dumps(one).encode()), (), "w") for one in both]
    return compare(runs[:1], runs[1:], required=True)


def allow() -> dict[str, Any]:
    tests = passed(f"{CART}::test_empty", f"{CART}::test_total[0.1]", f"{PRICES}::test_rounding")
    return verdict(
        finding(
            "oracle-added", gate="note", path=PRICES, line=31, test=f"{PRICES}::test_rounding",
            message="checks: 3 added", after='assert price("0.005") == Decimal("0.01")',
            advice="Good news; nothing to do.",
        ),
        finding(
            "skip-removed", gate="note", path=CART, line=8, test=f"{CART}::test_empty",
            message="the test runs in more places now", before='@pytest.mark.skip("later")',
            advice="Good news; nothing to do.",
        ),
        lanes=[
            lane("suite", "green", *tests, (f"{CART}::test_slow", Outcome.SKIPPED, "offline"), seconds=3.31),
            lane("characterization", "green", *tests[:2], seconds=1.8),
            lane("inventory", "green", *passed("adds", "sorts", "parses"), seconds=0.5),
            lane("witness", "green", *passed("adds", "sorts", "parses"), seconds=0.9),
            lane("properties", "optional-missing"),
        ],
        seen=_witnessed(row("adds"), row("sorts"), row("parses"), environment=THERE),
        power={"base": 14, "head": 18}, intent=["src/shop/prices.py"],
    )  # fmt: skip


def reject() -> dict[str, Any]:
    """
    A verdict with a finding of every sort, and a witness that disagrees.
    """
    total, old = f"{CART}::test_total[0.1]", f"{CART}::TestOld::test_skip"
    red = "AssertionError: assert 3 == 4"
    return verdict(
        finding(
            "policy-loosened", gate="note", path="oracle/intent.json", line=2,
            message="the behaviour of src/shop/cart.py may change", advice="a reviewer should know why",
        ),
        finding(
            "oracle-removed", -1, path=CART, line=14, test=total, before="assert total(cart) == 4",
            message="the check is gone and stands nowhere else",
            advice="Put the check back, or ask an owner for an allowance.",
        ),
        finding(
            "oracle-weakened", -1, path=CART, line=12, test=f"{CART}::test_sum",
            message="an exact value is no longer compared", before="assert total(cart) == 3",
            after="assert total(cart)", advice=_LISTED,
        ),
        finding(
            "oracle-weakened", -1, path=PRICES, line=16, test=f"{PRICES}::test_rounding",
            message="the check now runs only where `sys.platform` is one of two", advice=_LISTED,
            before="assert price(x) == y", after="assert price(x) == y",
        ),
        finding(
            "skip-outside-quarantine", -99, path=CART, line=20, test=old,
            message="the test is now skipped", after='@pytest.mark.skip(reason="flaky")',
            advice="Remove the skip; a flaky test goes to oracle/quarantine.json, in an owner's patch.",
        ),
        finding(
            "test-lost", gate="note", path="tests/test_gone.py", line=3, test="tests/test_gone.py::test_fax",
            message="the test is gone", before='assert fax("7") == "ok"', allowed_by="#12: nobody faxes",
            advice="Restore the test, or show where its checks went.",
        ),
        finding("oracle-added", gate="note", path=CART, line=40, test=total, message="checks: 1 added",
                after="assert total([]) == 0", advice="Good news; nothing to do."),
        lanes=[
            lane(
                "suite", "red", *passed(f"{CART}::test_empty"), (total, Outcome.FAILED, red),
                (old, Outcome.SKIPPED, "flaky"), seconds=12.25,
                blocking=(Finding(CART, 0, "suite-red", total, red, "make the test pass"),),
                notes=(Finding("oracle/quarantine.json", 7, "ledger-lapsed", "t.py::gone", "names nothing"),),
                remarks=("2 tests were deselected: a, b",),
            ),
            lane(
                "characterization", "red", (total, Outcome.FAILED, red), seconds=4.0,
                blocking=(
                    Finding(
                        CART, 0, "behaviour-drift", total, f"{red}; src/shop/cart.py is not listed",
                        "keep the behaviour, or have the owner list the module in allow_behavior_change",
                    ),
                ),
            ),
            lane("inventory", "green", *passed("adds", "sorts", "parses"), seconds=0.5),
            lane("witness", "green", ("adds", Outcome.FAILED, "1 != 2"), *passed("sorts"), seconds=7.5),
            lane("properties", "optional-missing"),
        ],
        seen=_witnessed(row("adds", "invariant_miss"), row("sorts"), row("parses"), environment=THERE),
        power={"base": 14, "head": 12}, fixture_digest={"tests/fixtures": "f" * 64}, uncommitted=2,
        not_judged=["tests/test_old.py"],
    )  # fmt: skip


def undefined() -> dict[str, Any]:
    """
    A patch that nothing is known against, and whose lanes left nothing to judge by.
    """
    lost = Finding(
        "", 0, "protocol-error", "", "lane `suite`: the report is missing: the run ended without writing one",
        "read the lane's log; run it again",
    )  # fmt: skip
    cut = Finding(
        ".gate/junit/inventory.xml", 0, "protocol-error", "", "the run was killed (exit 137)", "run it again"
    )
    return verdict(
        lanes=[
            lane("suite", "missing", blocking=(lost,)),
            lane("inventory", "protocol-error", blocking=(cut,), seconds=600.0),
        ]
    )


def observe() -> dict[str, Any]:
    return verdict(
        finding(
            "oracle-removed", -1, path=CART, before="assert total(cart) == 4", message="the check is gone"
        ),
        lanes=[lane("suite", "green", *passed(f"{CART}::test_empty"), seconds=1.0)],
        mode="observe",
    )


def hostile() -> dict[str, Any]:
    """
    Names, messages and checks that try to be markup, a command of a terminal, or a mention.
    """
    red = Finding(HOSTILE, 0, "suite-red", HOSTILE, HOSTILE, HOSTILE)
    evil = finding("oracle-weakened", -1, path=HOSTILE, line=2, test=HOSTILE, message=HOSTILE, before=HOSTILE,
                   after=f"{HOSTILE}\n```\n</details>\n# @all", advice=HOSTILE)  # fmt: skip
    there = {**THERE, "os": HOSTILE, "packages": {HOSTILE: "1"}}
    return verdict(
        evil,
        {**evil, "gate": "note", "points": 0, "allowed_by": HOSTILE},
        lanes=[
            lane("suite", "red", (HOSTILE, Outcome.FAILED, HOSTILE), blocking=(red,), remarks=(HOSTILE,)),
            lane("witness"),
        ],
        seen=_witnessed(row("adds", "invariant_miss"), row("sorts"), row("parses"), environment=there,
                        runner=HOSTILE),
        not_judged=[HOSTILE], intent=[HOSTILE], fixture_digest={HOSTILE: "f" * 64},
    )  # fmt: skip


def many() -> dict[str, Any]:
    """
    Two thousand findings that block, as many that do not, and long names in both.
    """
    wide = "é" * 400
    lost = [
        finding(
            "oracle-removed", -1, path=f"tests/test_{number % 40}.py", line=number,
            test=f"tests/test_{number % 40}.py::test_{number}", before=f"assert f({number})",
            message="the check is gone", advice="Put it back.",
        )
        for number in range(1000)
    ]  # fmt: skip
    red = [
        Finding("t.py", n, "suite-red", f"t.py::test[{wide}{n}]", "x" * 900, f"mend {n}") for n in range(1000)
    ]
    told = [Finding("t.py", n, "unproven-specimen", f"t.py::new[{n}]", "passes on base") for n in range(2000)]
    remarks = tuple(f"remark {number} {wide}" for number in range(500))
    crowd = lane("suite", "red", *passed("t.py::a"), blocking=tuple(red), notes=tuple(told), remarks=remarks)
    return verdict(*lost, lanes=[crowd])


def wide() -> dict[str, Any]:
    """
    Lines without a place to break, scripts of several directions, and names that are not UTF-8.
    """
    long, deep = "assert " + "x" * 5000, "tests/" + "deep/" * 60
    tokyo = "tests/test_東京.py::test_価格[円建て-ปลาทอง-שלום-naïve-🦉]"
    return verdict(
        finding(
            "oracle-weakened", -1, path=f"{deep}test_a.py", line=123_456, before=f"{long} == 1", after=long,
            test="tests/test_a.py::test_" + "long_" * 120, message="m" * 900, advice="a" * 900,
        ),
        finding(
            "oracle-weakened", -1, path="tests/test_東京.py", line=7, test=tokyo,
            message="値が比較されない", before='assert price("円") == "百"', after='assert price("円")',
        ),
        finding("test-lost", -1, path="t\udce9 a%b:c?.py", line=1, test="t\udce9.py::a", before="assert 0"),
        lanes=[lane("suite-" + "x" * 120, "green", *passed(tokyo), seconds=86_400.5)],
        fixture_digest={f"{deep}fixtures": "f" * 64},
    )  # fmt: skip


SAMPLES: Final[dict[str, Callable[[], dict[str, Any]]]] = {
    one.__name__: one for one in (allow, reject, undefined, observe, hostile, many, wide)
}

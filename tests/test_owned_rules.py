"""
Who may change what, what the ledgers allow, and what an owner patch takes away.
"""

from __future__ import annotations

import datetime as dt
import json
import shutil
import subprocess
from typing import TYPE_CHECKING, Any

import pytest

from oraclekeep.errors import ConfigError
from oraclekeep.git import Repo
from oraclekeep.model import PatchKind
from oraclekeep.paths import Layout
from oraclekeep.policy.digests import sha256
from oraclekeep.rules.inventory import inventory_properties
from oraclekeep.rules.ledgers import ledger_rows
from oraclekeep.rules.loosened import policy_loosened
from oraclekeep.rules.owned import adoption, owner_unproven, proposals, write_set
from oraclekeep.signatures import unproven_commits

if TYPE_CHECKING:
    from collections.abc import Mapping

    from oraclekeep.model import Finding

LEDGER, INVENTORY, INTENT = "oracle/quarantine.json", "invariants/inventory.yaml", "oracle/intent.json"
GATE, WEIGHTS = "oracle/gate.yaml", "oracle/weights.json"
SAMPLES = '["a"]\n'
TESTS = """\
import pytest
from tests.shared import Base

def test_a(): assert f() == 1

@pytest.mark.parametrize("x", [1, 2])
def test_p(x): assert x

@pytest.mark.parametrize("x, y", [pytest.param(1, 2, id="low"), ("a", [3]), (True, 0.5)])
def test_two(x, y): assert x

@pytest.mark.parametrize("x", [1, 2], ids=["one", "two"])
@pytest.mark.parametrize("y", sorted(g))
def test_axes(x, y): assert x

class TestC(Base):
    def test_m(self): assert g()
"""
BASE = {
    "src/pkg/__init__.py": "def f(): return 1\n",
    "tests/test_x.py": TESTS,
    "tests/shared.py": "class Base:\n    def test_inherited(self): assert h()\n",
    "tests/fixtures/s.json": SAMPLES,
    "oracle/weights.json": '{"assert_removed": 2}',
    INTENT: '{"debit_cap": 3}',
    LEDGER: '{"items": []}',
    INVENTORY: "version: 1\n",
}


def row(nodeid: str = "tests/test_x.py::test_a", **more: object) -> dict[str, object]:
    return {"nodeid": nodeid, "issue": "I-1", "reason": "slow", "expires": "2024-08-01", **more}


def items(*rows: Mapping[str, object]) -> str:
    return json.dumps({"items": rows}, indent=1)


def property_(name: str = "p", **more: object) -> dict[str, object]:
    plain = {
        "id": name,
        "module": "pkg",
        "fn": "f",
        "seed": 1,
        "fixture": "tests/fixtures/s.json",
        "note": "n",
    }
    return {**plain, "checks": ["idempotent"], **more}


def inventory(*properties: Mapping[str, object], freezes: tuple[Mapping[str, object], ...] = ()) -> str:
    """
    JSON is YAML too.
    """
    return json.dumps({"version": 1, "properties": properties, "freezes": freezes}, indent=1)


def freeze(**more: object) -> dict[str, object]:
    plain = {"property_id": "p", "seed": 1, "fixture_sha256": sha256(SAMPLES.encode()), "reason": "r"}
    return {**plain, "expires_on": "2024-08-01", **more}


@pytest.fixture
def judge(make_repo, patch_of):
    """
    Return a function from base files, head files and a rule to the rule's findings.
    """

    def run(rule: Any, base: Mapping[str, Any], head: Mapping[str, Any], **options: Any) -> list[Finding]:
        repo = make_repo()
        repo.commit({**BASE, **base})
        repo.git("checkout", "--quiet", "-b", "patch")
        repo.commit(head)
        return list(rule(patch_of(repo, **options)))

    return run


def rows(findings: list[Finding]) -> list[str]:
    return [finding.row for finding in findings]


# ---------------------------------------------------------------------------------------------- write set


@pytest.mark.parametrize(
    ("head", "kind"),
    [
        ({}, PatchKind.EMPTY),
        ({"src/pkg/__init__.py": "x = 1\n"}, PatchKind.AGENT),
        ({"README.md": "x"}, PatchKind.AGENT),
        ({"invariants/proposed/p.yaml": "x: 1"}, PatchKind.AGENT),
        ({"oracle/weights.json": "{}"}, PatchKind.OWNER),
        ({"oracle/weights.json": "{}", "README.md": "x"}, PatchKind.OWNER),
        ({"noxfile.py": "", "tests/test_x.py": ""}, PatchKind.MIXED),
        ({".github/workflows/ci.yml": "", "src/pkg/__init__.py": ""}, PatchKind.MIXED),
        ({"oracle/weights.json": None, "src/pkg/__init__.py": ""}, PatchKind.MIXED),
        # Without a lock, the default tree is an ordinary folder.
        ({"tests/fixtures/s.json": "[]", "tests/test_x.py": ""}, PatchKind.AGENT),
    ],
)
def test_the_kind_of_a_patch_is_told_by_its_paths(make_repo, patch_of, head, kind):
    repo = make_repo()
    repo.commit(BASE)
    repo.git("checkout", "--quiet", "-b", "patch")
    repo.commit(head)
    patch = patch_of(repo)

    assert kind is patch.kind
    assert (kind is PatchKind.MIXED) == bool(list(write_set(patch)))


def test_a_mixed_patch_is_told_what_to_split(judge):
    (found,) = judge(
        write_set, {}, {"oracle/weights.json": "{}", "src/pkg/__init__.py": "", "README.md": "x"}
    )

    assert "oracle/weights.json" in found.message
    assert "src/pkg/__init__.py" in found.message
    assert "README.md" not in found.message


def test_before_adoption_nothing_is_mixed(make_repo, patch_of):
    """
    The patch that brings `oracle/` comes with its test dependencies and more.
    """
    repo = make_repo()
    repo.commit({"src/pkg/__init__.py": ""})
    repo.git("checkout", "--quiet", "-b", "patch")
    repo.commit(BASE)
    patch = patch_of(repo)

    assert [] == list(write_set(patch)) == list(ledger_rows(patch)) == list(policy_loosened(patch))
    assert rows(list(adoption(patch))) == ["adoption"]


# ------------------------------------------------------------------------------------------------- owners


def test_unsigned_commits_count_only_where_the_owner_asks_for_signatures(judge):
    head, unproven = {INTENT: "{}"}, (("c" * 40, "it carries no signature"),)

    assert judge(owner_unproven, {}, head, unproven=unproven) == []


def test_an_unsigned_owner_patch_is_unproven(make_repo, patch_of):
    repo = make_repo()
    repo.commit({**BASE, "oracle/gate.yaml": "owners: signed\n"})
    repo.git("checkout", "--quiet", "-b", "patch")
    repo.commit({INTENT: "{}"})
    (found,) = owner_unproven(patch_of(repo, unproven=(("c" * 40, "it carries no signature"),)))

    assert found.row == "owner-unproven"
    assert "it carries no signature" in found.message


@pytest.mark.skipif(shutil.which("ssh-keygen") is None, reason="needs ssh-keygen")
def test_only_a_good_signature_of_a_signer_of_base_is_a_proof(make_repo, tmp_path):
    """
    Every state but G is named; so is a merge that takes one parent's policy.
    """
    for name in ("owner", "stranger"):
        argv = ("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", name, "-f", str(tmp_path / name))
        subprocess.run(argv, check=True)
    signers = b"owner@example.invalid " + (tmp_path / "owner.pub").read_bytes()
    repo = make_repo()
    repo.git("config", "gpg.format", "ssh")
    base = repo.commit({"oracle/weights.json": "{}"})

    def commit(text: str, *flags: str) -> str:
        repo.write({"oracle/weights.json": text})
        repo.git("commit", "--quiet", "--all", "--message", text, *flags)
        return repo.git("rev-parse", "HEAD")

    signed = commit("1", f"-S{tmp_path / 'owner'}")
    unsigned, strange = commit("2"), commit("3", f"-S{tmp_path / 'stranger'}")
    repo.commit({"README.md": "neutral"})
    repo.git("checkout", "--quiet", "-b", "side", signed)
    repo.commit({"README.md": "other"})
    repo.git("merge", "--quiet", "--strategy", "ours", "--message", "merge", "main")
    merge = repo.git("rev-parse", "HEAD")
    git = Repo(repo.root)

    found = dict(unproven_commits(git, base, merge, Layout(), signers))
    assert {unsigned, strange, merge} == set(found)
    assert "no signature" in found[unsigned]
    assert "not in oracle/allowed_signers" in found[strange]
    assert unproven_commits(git, base, signed, Layout(), signers) == ()
    assert [signed] == [commit for commit, _ in unproven_commits(git, base, signed, Layout(), None)]
    assert [signed] == [commit for commit, _ in unproven_commits(git, base, signed, Layout(), b"")]


# ------------------------------------------------------------------------------------------------ ledgers

ADDED = {
    "valid": (row(), ["quarantine-added"]),
    "a method": (row("tests/test_x.py::TestC::test_m"), ["quarantine-added"]),
    "an inherited method": (row("tests/test_x.py::TestC::test_inherited"), ["quarantine-added"]),
    "one case": (row("tests/test_x.py::test_p[1]"), ["quarantine-added"]),
    "a case with an id of its own": (row("tests/test_x.py::test_two[low]"), ["quarantine-added"]),
    "a case with a list": (row("tests/test_x.py::test_two[a-y1]"), ["quarantine-added"]),
    "a case of plain values": (row("tests/test_x.py::test_two[True-0.5]"), ["quarantine-added"]),
    "a case of two axes": (row("tests/test_x.py::test_axes[a-b-two]"), ["quarantine-added"]),
    "no such value": (row("tests/test_x.py::test_p[3]"), ["quarantine-invalid"]),
    "no such id": (row("tests/test_x.py::test_two[high]"), ["quarantine-invalid"]),
    "the values of a case with an id": (row("tests/test_x.py::test_two[1-2]"), ["quarantine-invalid"]),
    "no such case on one axis": (row("tests/test_x.py::test_axes[a-b-three]"), ["quarantine-invalid"]),
    "brackets for a test without parameters": (row("tests/test_x.py::test_a[1]"), ["quarantine-invalid"]),
    "all cases": (row("tests/test_x.py::test_p"), ["quarantine-invalid"]),
    "no such test": (row("tests/test_x.py::test_b"), ["quarantine-invalid"]),
    "no such method": (row("tests/test_x.py::TestC::test_x"), ["quarantine-invalid"]),
    "no such file": (row("tests/test_y.py::test_a"), ["quarantine-invalid"]),
    "no test file": (row("src/pkg/__init__.py::f"), ["quarantine-invalid"]),
    "no issue": ({**row(), "issue": "  "}, ["quarantine-invalid"]),
    "no reason": ({key: text for key, text in row().items() if key != "reason"}, ["quarantine-invalid"]),
    "no date": (row(expires="soon"), ["quarantine-invalid"]),
    "free of charge": (row(points=0), ["quarantine-invalid"]),
    "wildcard": (row("tests/test_x.py::test_*"), ["quarantine-invalid"]),
    "folder": (row("tests/"), ["quarantine-invalid"]),
    "of today": (row(expires="2024-06-01"), ["quarantine-expired"]),
    "of the horizon": (row(expires="2025-06-01"), ["quarantine-added"]),
    "beyond the horizon": (row(expires="2025-06-02"), ["quarantine-invalid"]),
    "above the cap": (row(points=4), ["quarantine-added", "overdrawn"]),
}


@pytest.mark.parametrize(("added", "expected"), ADDED.values(), ids=ADDED)
def test_rows_that_arrive(judge, added, expected):
    assert rows(judge(ledger_rows, {}, {LEDGER: items(added)})) == expected


def test_every_bad_row_is_told_with_its_line(judge):
    head = {LEDGER: items({**row(), "issue": ""}, row(), row("tests/test_x.py::test_*"), row())}
    found = [finding for finding in judge(ledger_rows, {}, head) if finding.row == "quarantine-invalid"]

    assert [finding.line for finding in found] == [5, 16, 21]


def test_more_than_rows_being_wrong_is_not_judged(judge):
    with pytest.raises(ConfigError, match=r"quarantine\.json:1: unknown key 'rows'.*\(in head\)"):
        judge(ledger_rows, {}, {LEDGER: '{"rows": []}'})


def test_the_cap_counts_live_rows_of_both_ledgers(judge):
    """
    Lapsed rows cost nothing, whatever they once cost.
    """
    base = {
        LEDGER: items(row(points=2), row("tests/test_x.py::TestC::test_m", points=9, expires="2024-05-01")),
        INVENTORY: inventory(property_()),
    }
    fits = judge(ledger_rows, base, {INVENTORY: inventory(property_(), freezes=(freeze(),))})

    assert rows(fits) == ["ledger-lapsed", "quarantine-added"]
    assert "3 of 3 points" in fits[1].message


def test_an_overdrawn_base_blocks_with_the_points(judge):
    (found,) = judge(ledger_rows, {LEDGER: items(row(points=5))}, {"src/pkg/__init__.py": ""})

    assert (found.row, found.units) == ("overdrawn", 5)


def test_a_row_of_base_that_names_nothing_covers_nothing(judge):
    base = {LEDGER: items(row("tests/test_x.py::test_gone", points=9))}

    assert rows(judge(ledger_rows, base, {"src/pkg/__init__.py": ""})) == ["ledger-lapsed"]


def test_a_row_that_leaves_is_no_matter(judge):
    assert judge(ledger_rows, {LEDGER: items(row(expires="2020-01-01"))}, {LEDGER: items()}) == []


def test_a_row_that_is_prolonged_is_judged_anew(judge):
    base = {LEDGER: items(row())}

    assert rows(judge(ledger_rows, base, {LEDGER: items(row(expires="2099-01-01"))})) == [
        "quarantine-invalid"
    ]


def test_rows_that_base_gained_meanwhile_count(make_repo, patch_of):
    """
    The patch started before them, and its own file does not hold them.
    """
    repo = make_repo()
    repo.commit(BASE)
    repo.git("checkout", "--quiet", "-b", "patch")
    repo.commit({LEDGER: items(row(points=2))})
    repo.git("checkout", "--quiet", "main")
    repo.commit({LEDGER: items(row("tests/test_x.py::TestC::test_m", points=2))})

    assert rows(list(ledger_rows(patch_of(repo, head="patch")))) == ["quarantine-added", "overdrawn"]


FREEZES = {
    "valid": (freeze(), ["quarantine-added"]),
    "without a date": (
        {key: each for key, each in freeze().items() if key != "expires_on"},
        ["quarantine-invalid"],
    ),
    "past": (freeze(expires_on="2024-05-31"), ["freeze-expired"]),
    "beyond the horizon": (freeze(expires_on="2099-01-01"), ["quarantine-invalid"]),
    "of another property": (freeze(property_id="q"), ["quarantine-invalid"]),
    "of another seed": (freeze(seed=2), ["quarantine-invalid"]),
    "of other bytes": (freeze(fixture_sha256="b" * 64), ["quarantine-invalid"]),
    "of another fixture": (freeze(fixture="tests/fixtures/t.json"), ["quarantine-invalid"]),
}


@pytest.mark.parametrize(("added", "expected"), FREEZES.values(), ids=FREEZES)
def test_freezes_that_arrive(judge, added, expected):
    base, head = ({INVENTORY: inventory(property_(), freezes=each)} for each in ((), (added,)))

    assert rows(judge(ledger_rows, base, head)) == expected


def test_new_bytes_end_a_freeze(judge):
    base = {INVENTORY: inventory(property_(), freezes=(freeze(fixture_sha256="b" * 64),))}

    assert rows(judge(ledger_rows, base, {"src/pkg/__init__.py": ""})) == ["ledger-lapsed"]


def test_today_is_an_argument(judge):
    head = {LEDGER: items(row(expires="2024-08-01"))}

    assert rows(judge(ledger_rows, {}, head, today=dt.date(2024, 8, 1))) == ["quarantine-expired"]


# --------------------------------------------------------------------------------------------- properties

LOST = {
    "gone": ([], 1),
    "no checks": ([property_(checks=[])], 1),
    "another check": ([property_(checks=["deterministic"])], 1),
    "another check with a new note": ([property_(checks=["deterministic"], note="m")], 1),
    "pending": ([property_(pending=True)], 1),
    "another seed": ([property_(seed=2)], 1),
    "another seed, and the note says so": ([property_(seed=2, note="m")], 0),
    "another function": ([property_(fn="g", note="m")], 1),
    "another check besides": ([property_(checks=["deterministic", "idempotent"])], 0),
    "a new name": ([property_("q")], 0),
    "a new name and fewer checks": ([property_("q", checks=[])], 1),
    "another note": ([property_(note="m")], 0),
    "no longer that timeout": ([property_(timeout=5)], 0),
}


@pytest.mark.parametrize(("after", "lost"), LOST.values(), ids=LOST)
def test_a_property_that_can_fail_in_fewer_ways_is_lost(judge, after, lost):
    found = judge(inventory_properties, {INVENTORY: inventory(property_())}, {INVENTORY: inventory(*after)})

    assert ["property-removed"] * lost == rows(found)
    assert all(finding.test == "p" for finding in found)


PARAMETERS = [
    ({"tol": 0.1}, {"tol": 0.2}, True),
    ({"tol": 0.2}, {"tol": 0.1}, False),
    ({"tol": 0.2}, {}, False),
    ({}, {"rel": 0.2}, True),
    ({"places": 3}, {"places": 2}, True),
    ({"max_length": 3}, {"max_length": 4}, True),
    ({"max_length": 3}, {}, True),
    ({"lo": 0}, {"lo": -1}, True),
    ({"lo": 0, "hi": 9}, {"lo": 1, "hi": 8}, False),
    ({"keys": ["a"]}, {"keys": ["b"]}, True),
]


@pytest.mark.parametrize(("before", "after", "lost"), PARAMETERS)
def test_a_parameter_may_move_only_where_that_is_surely_stricter(judge, before, after, lost):
    base, head = ({INVENTORY: inventory(property_(checks=[{"c": each}]))} for each in (before, after))

    assert lost == bool(judge(inventory_properties, base, head))


@pytest.mark.parametrize(
    ("before", "after", "lost"), [(500, 400, 1), (500, None, 1), (None, 50, 1), (50, 60, 0)]
)
def test_fewer_examples_are_a_loss(judge, before, after, lost):
    def drawing(count: int | None) -> str:
        drawn = {key: each for key, each in property_(strategy="integers()").items() if key != "fixture"}
        return inventory({**drawn, "examples": count} if count else drawn)

    found = judge(inventory_properties, {INVENTORY: drawing(before)}, {INVENTORY: drawing(after)})

    assert ["property-removed"] * lost == rows(found)


def test_a_function_that_moved_may_be_followed(judge):
    """
    The old name still works, but only points to where the function went.
    """
    base = {INVENTORY: inventory(property_()), "src/pkg/__init__.py": "from pkg.new import f\n"}

    assert judge(inventory_properties, base, {INVENTORY: inventory(property_(module="pkg.new"))}) == []


def test_new_properties_are_credited_to_an_owner_only(judge):
    new = {INVENTORY: inventory(property_(), property_("q", checks=[]))}
    (found,) = judge(inventory_properties, {}, new)

    assert (found.row, found.test) == ("property-added", "p")


def test_a_mixed_patch_gets_no_credit(judge):
    assert (
        judge(inventory_properties, {}, {INVENTORY: inventory(property_()), "src/pkg/__init__.py": ""}) == []
    )


# ---------------------------------------------------------------------------------------------- loosening

ALLOWANCE = {
    "row": "test-lost",
    "path": "tests/test_x.py",
    "issue": "i",
    "reason": "r",
    "expires": "2030-01-01",
}
LOOSER = {
    "a lower weight": ({}, {WEIGHTS: '{"assert_removed": 1}'}, "falls from 2 to 1"),
    "no weights": ({}, {WEIGHTS: None}, "falls from 2 to 1"),
    "a higher cap": ({}, {INTENT: '{\n"debit_cap": 4}'}, "rises from 3 to 4"),
    "an allowance": ({}, {INTENT: json.dumps({"allowances": [ALLOWANCE]})}, "test-lost is allowed"),
    "an intent": ({}, {INTENT: '{"allow_behavior_change": ["src/"]}'}, "the behaviour of src/"),
    "observing": ({}, {GATE: "mode: observe\n"}, "from enforce to observe"),
    "a lane": ({}, {GATE: "lanes: {suite: {required: false}}\n"}, "becomes optional"),
    "a command": ({}, {GATE: "lanes: {suite: {command: ['true']}}\n"}, "what the lane runs"),
    "a plugin": ({}, {GATE: "plugins: [x]\n"}, "may now load"),
    "a longer horizon": ({}, {GATE: "max_exception_days: 999\n"}, "999 days"),
    "a shorter list": ({GATE: "human_owned: [a/]\n"}, {GATE: None}, "a/ is no longer"),
    "no signatures": ({GATE: "owners: signed\n"}, {GATE: "repeats: 3\n"}, "to forge"),
    "an optional witness": ({GATE: "witness: required\n"}, {GATE: None}, "to optional"),
    "a new signer": ({}, {"oracle/allowed_signers": "a@b ssh-ed25519 AAAA\n"}, "of signers"),
}


@pytest.mark.parametrize(("base", "head", "message"), LOOSER.values(), ids=LOOSER)
def test_a_looser_policy_is_shown(judge, base, head, message):
    found = judge(policy_loosened, base, head)

    assert rows(found) == ["policy-loosened"]
    assert message in found[0].message


@pytest.mark.parametrize(
    "head",
    [
        {"oracle/weights.json": '{"assert_removed": 3}'},
        {INTENT: '{"debit_cap": 0}'},
        {"oracle/gate.yaml": "witness: required\npower: block\nhuman_owned: [x/]\nrepeats: 5\n"},
    ],
)
def test_a_stricter_policy_needs_no_remark(judge, head):
    assert judge(policy_loosened, {}, head) == []


def test_a_bad_policy_file_in_head_is_named_as_heads(judge):
    with pytest.raises(ConfigError, match=r"^oracle/weights\.json:1: unknown key .*\(in head\)$"):
        judge(policy_loosened, {}, {"oracle/weights.json": '{"x": 1}'})


# ---------------------------------------------------------------------------------------------- proposals


def test_candidates_are_queued_and_block_nothing(judge):
    head = {
        "invariants/proposed/a.yaml": json.dumps({"properties": [property_("q")]}),
        "invariants/proposed/bad.yaml": "properties: [{id: x}]\n",
        "invariants/proposed/README.md": "x",
    }
    found = judge(proposals, {}, head)

    assert rows(found) == ["untrusted-proposal"] * 2
    assert found[0].test == "q"
    assert "key 'module' is missing" in found[1].message

"""
The owner's commands through the real program: what they write, what they refuse, and that the gate takes it.
"""

from __future__ import annotations

import json
import shlex
from typing import TYPE_CHECKING, Any

import pytest

from oraclekeep.policy.digests import digest_of

from .program import Answer
from .program import run as program

if TYPE_CHECKING:
    from tests.conftest import GitRepo

NODE = "tests/test_shop.py::test_total"
INTENT, LEDGER = "oracle/intent.json", "oracle/quarantine.json"
WRITTEN = '{\n    "debit_cap": 2,\n    "allow_behavior_change": ["src/shop/old.py"]\n}\n'
BASE = {
    "pyproject.toml": '[project]\nname = "shop"\nversion = "1"\n',
    "src/shop/core.py": "def total(items):\n    return sum(items)\n",
    "src/shop/old.py": "X = 1\n",
    "tests/test_shop.py": "from shop.core import total\n\n\ndef test_total():\n    assert total([1]) == 1\n",
    "tests/fixtures/a.json": "[1]\n",
    "oracle/fixtures.lock": digest_of([("a.json", b"[1]\n")]) + "\n",
    "oracle/weights.json": "{}\n",
    "invariants/inventory.yaml": "version: 1\nproperties:\n"
    "  - {id: adds, module: shop.core, fn: total, seed: 1, strategy: integers, note: n,"
    " checks: [deterministic]}\n",
    INTENT: WRITTEN,
}
WHEN = ("--today", "2026-01-01")
UNTIL = ("--expires", "2026-02-01")
WHY = ("--issue", "#7", "--reason", "it's flaky")


@pytest.fixture
def repo(make_repo) -> GitRepo:
    made = make_repo()
    made.commit(BASE)
    return made


def run(repo: GitRepo, task: str, *words: str) -> Answer:
    return program(repo.root, *words, task=task)


def read(repo: GitRepo, path: str) -> Any:
    return json.loads((repo.root / path).read_text())


#: the command, the file and key, the rows that it adds
GOOD: list[tuple[list[str], str, str, list[Any]]] = [
    (
        ["quarantine", NODE, *WHY, *UNTIL, *WHEN],
        LEDGER,
        "items",
        [{"nodeid": NODE, "issue": "#7", "expires": "2026-02-01", "reason": "it's flaky"}],
    ),
    (
        ["quarantine", NODE, *WHY, *UNTIL, *WHEN, "--points", "2", "--owner", "@me"],
        LEDGER,
        "items",
        [
            {
                "nodeid": NODE,
                "issue": "#7",
                "expires": "2026-02-01",
                "points": 2,
                "reason": "it's flaky",
                "owner": "@me",
            }
        ],
    ),
    (["intent", "src/shop/core.py"], INTENT, "allow_behavior_change", ["src/shop/core.py"]),
    (["intent", "src/shop"], INTENT, "allow_behavior_change", ["src/shop/"]),
    (
        ["intent", "src/shop/core.py", "src/", "--issue", "#7", *UNTIL, *WHEN],
        INTENT,
        "allow_behavior_change",
        [{"path": path, "issue": "#7", "expires": "2026-02-01"} for path in ("src/shop/core.py", "src/")],
    ),
    (
        ["allow", "oracle-removed", NODE, *WHY, *UNTIL, *WHEN],
        INTENT,
        "allowances",
        [
            {
                "row": "oracle-removed",
                "nodeid": NODE,
                "issue": "#7",
                "reason": "it's flaky",
                "expires": UNTIL[1],
            }
        ],
    ),
    (
        ["allow", "property-removed", "adds", "new/conftest.py", *WHY, *UNTIL, *WHEN],
        INTENT,
        "allowances",
        [
            {"row": "property-removed", key: name, "issue": "#7", "reason": "it's flaky", "expires": UNTIL[1]}
            for key, name in (("property", "adds"), ("path", "new/conftest.py"))
        ],
    ),
]


@pytest.mark.parametrize(("words", "path", "key", "rows"), GOOD, ids=[" ".join(case[0][:2]) for case in GOOD])
def test_rows_are_added_and_make_an_owners_patch(repo, words, path, key, rows) -> None:
    """
    What stood there keeps its bytes; what is printed makes a commit that the gate allows.
    """
    before = read(repo, path).get(key, []) if (repo.root / path).exists() else []
    answer = run(repo, *words)
    lines = [line for line in answer.out.splitlines() if line.startswith("  git ")]

    assert answer.code == 0, answer.err
    assert read(repo, path)[key] == before + rows
    if path == INTENT:
        assert (
            (repo.root / path)
            .read_text()
            .startswith('{\n    "debit_cap": 2,\n    "allow_behavior_change": [')
        )
    for line in lines:
        repo.git(*shlex.split(line)[1:])
    assert len(lines) == 2
    assert repo.git("status", "--porcelain") == ""
    scored = program(repo.root, "--base", "HEAD~1", "--json", *WHEN)
    assert scored.code == 0, scored.out
    assert scored.document["patch"] == "owner"


BAD = [
    (["quarantine", NODE, *UNTIL, *WHEN], "give --issue"),
    (["quarantine", NODE, *WHY, *WHEN], "give --expires YYYY-MM-DD"),
    (["quarantine", NODE, *WHY, "--expires", "soon"], "'soon' is not a date"),
    (["quarantine", NODE, *WHY, "--expires", "2026-01-01", *WHEN], "that day has come"),
    (["quarantine", NODE, *WHY, "--expires", "2027-06-01", *WHEN], "beyond the horizon of 365 days"),
    (["quarantine", NODE + "s", *WHY, *UNTIL, *WHEN], "names no test"),
    (["quarantine", "tests/test_shop.py", *WHY, *UNTIL, *WHEN], "is a file or a folder"),
    (["quarantine", "tests/*::x", *WHY, *UNTIL, *WHEN], "holds a wildcard"),
    (["quarantine", NODE, *WHY, *UNTIL, *WHEN, "--points", "3"], "3 more would overdraw"),
    (["quarantine", NODE, *WHY, *UNTIL, *WHEN, "--points", "0"], "at least 1"),
    (["intent"], "name the modules"),
    (["intent", "src/shop/cor.py"], "did you mean src/shop/core.py?"),
    (["intent", "tests/test_shop.py"], "holds no production code"),
    (["intent", "src/shop/old.py"], "is listed in oracle/intent.json already"),
    (["intent", "../elsewhere"], "no such file here"),
    (["intent", "src/", "--expires", "2025-01-01", *WHEN], "that day has come"),
    (["allow"], "say which row"),
    (["allow", "oracle-removd", NODE, *WHY, *UNTIL, *WHEN], "did you mean oracle-removed?"),
    (["allow", "suite-red", NODE, *WHY, *UNTIL, *WHEN], "those that can be allowed are"),
    (["allow", "oracle-removed", *WHY, *UNTIL, *WHEN], "name the tests"),
    (["allow", "oracle-removed", NODE + "x", *WHY, *UNTIL, *WHEN], "names no test"),
    (["announce", "tests/fixtures", "--reason", "r"], "nothing to announce"),
    (["announce", "tests", "--reason", "r"], "is not frozen"),
    (["announce", "tests/fixtures", "--reason", "r", "--ref", "nowhere"], "no commit named 'nowhere'"),
]  # fmt: skip


@pytest.mark.parametrize(("words", "said"), BAD, ids=[f"{case[0][0]}-{case[1]}" for case in BAD])
def test_what_makes_no_sense_is_refused_and_nothing_written(repo, words, said) -> None:
    answer = run(repo, *words)

    assert answer.code == 2
    assert said in answer.err
    assert repo.git("status", "--porcelain") == ""


@pytest.mark.parametrize("words", [case[0] for case in GOOD[::2]], ids=lambda words: words[0])
def test_a_row_that_stands_already_is_not_added_twice(repo, words) -> None:
    assert run(repo, *words).code == 0
    again = run(repo, *words)

    assert again.code == 2
    assert "already" in again.err


def test_a_row_that_has_lapsed_may_be_given_anew(repo) -> None:
    """
    But for the ledger, where a nodeid stands once.
    """
    words = ["allow", "oracle-removed", NODE, *WHY]
    run(repo, *words, *UNTIL, *WHEN)

    assert run(repo, *words, "--expires", "2026-04-01", "--today", "2026-03-01").code == 0


@pytest.mark.parametrize(
    ("changed", "code"),
    [
        ({"src/shop/core.py": "def total(items):\n    return 0\n"}, 2),
        ({"notes.txt": "new\n"}, 2),
        ({"README.md": "prose\n"}, 0),
        ({"oracle/weights.json": '{"assert_removed": 2}\n'}, 0),
        ({"tests/fixtures/a.json": "[2]\n"}, 0),
    ],
    ids=lambda value: next(iter(value)) if isinstance(value, dict) else str(value),
)
def test_an_owners_change_goes_alone(repo, changed, code: int) -> None:
    """
    What is an agent's to write must not wait beside it; what may go with an owner's patch may.
    """
    repo.write(changed)
    answer = run(repo, "intent", "src/shop/core.py")

    assert code == answer.code
    assert (f"{next(iter(changed))}: not committed" in answer.err) is (code == 2)
    assert ("src/shop/core.py" in read(repo, INTENT)["allow_behavior_change"]) is (code == 0)


def test_a_rename_counts_under_both_names(repo) -> None:
    repo.git("mv", "src/shop/old.py", "oracle/old.py")

    assert "src/shop/old.py: not committed" in run(repo, "intent", "src/shop/core.py").err


def test_an_announced_tree_may_come_with_its_code(repo) -> None:
    """
    The owner announces what a branch has; the branch is then allowed, and was not before.
    """
    repo.git("switch", "--quiet", "-c", "patch")
    repo.commit({"tests/fixtures/a.json": "[2]\n", "src/shop/more.py": "Y = 1\n"})
    repo.git("switch", "--quiet", "main")
    before = program(repo.root, "--base", "main", "--head", "patch", "--json")
    answer = run(repo, "announce", "tests/fixtures/", "--reason", "more data", "--ref", "patch")
    repo.commit()
    repo.git("switch", "--quiet", "patch")
    repo.git("rebase", "--quiet", "main")
    after = program(repo.root, "--base", "main", "--json")

    assert answer.code == 0, answer.err
    assert read(repo, INTENT)["fixture_changes"][0]["digest"] == digest_of([("a.json", b"[2]\n")])
    assert (before.code, after.code) == (1, 0), after.out
    assert "fixture-announced" in after.document["counts"]


def test_a_file_that_cannot_be_read_is_named_with_its_line(repo) -> None:
    repo.commit({INTENT: '{"debit_cap": 2,\n "allow_behaviour_change": []}\n'})
    answer = run(repo, "intent", "src/shop/core.py")

    assert answer.code == 2
    assert f"{INTENT}:2: unknown key" in answer.err


def test_without_the_gate_there_is_nothing_to_allow(make_repo) -> None:
    made = make_repo()
    made.commit({"src/a.py": ""})

    assert "run `oraclekeep init` first" in run(made, "intent", "src/a.py").err


def test_line_ends_mode_and_indent_stay(repo) -> None:
    (repo.root / INTENT).write_bytes(WRITTEN.replace("\n", "\r\n").encode())
    (repo.root / INTENT).chmod(0o640)
    repo.commit()
    run(repo, "intent", "src/shop/core.py")
    data = (repo.root / INTENT).read_bytes()

    assert data.count(b"\n") == data.count(b"\r\n")
    assert (repo.root / INTENT).stat().st_mode & 0o777 == 0o640
    assert b'["src/shop/old.py",\r\n        "src/shop/core.py"]\r\n}' in data


def test_as_json_it_says_rows_and_commands(repo) -> None:
    found = run(repo, "intent", "src/shop/core.py", "--json").document

    assert found["schema"] == "oraclekeep/edit/1"
    assert found["rows"] == ["src/shop/core.py"]
    assert found["commands"][1].startswith("git commit -m ")


def test_paths_are_also_taken_from_where_one_stands(repo) -> None:
    assert program(repo.root / "src/shop", "core.py", task="intent").code == 0
    assert "src/shop/core.py" in read(repo, INTENT)["allow_behavior_change"]

"""
The inventory from outside: the command, the lanes, and what they leave behind.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import time
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest

from oraclekeep import lanekit
from oraclekeep.errors import GateError
from oraclekeep.folder import FolderSnapshot
from oraclekeep.git import Repo, TreeSnapshot
from oraclekeep.inventory import plan
from oraclekeep.lanekit.fixtures import file_digest
from oraclekeep.policy import digests, read_policy

from .inventory_trees import ENV, prop, run, tree


def invoke(root: Path, *args: str) -> subprocess.CompletedProcess[str]:
    """
    Run the tasks as a repository's own `tasks.py` would have them.
    """
    code = (
        "from invoke import Collection, Program\n"
        "from oraclekeep.commands.inventory import TASKS\n"
        "Program(namespace=Collection(*TASKS)).run()\n"
    )
    return subprocess.run(
        (sys.executable, "-c", code, *args), cwd=root, env=ENV, capture_output=True, text=True, check=False
    )


@pytest.fixture
def mixed(tmp_path: Path) -> Path:
    """
    One property of each kind that matters to a report.
    """
    source = "def good(s): return s\ndef bad(s): raise ValueError('<\\x00>')\ndef odd(s): raise SystemExit\n"
    freeze = {
        "property_id": "product.odd", "seed": 1, "fixture_sha256": file_digest(b"[1]"), "reason": "x",
        "expires_on": dt.date(2999, 1, 1),
    }  # fmt: skip
    properties = [
        prop("product.good"), prop("product.bad"), prop("product.gone"), prop("product.odd"),
        {**prop("product.bad"), "id": "later", "pending": True},
    ]  # fmt: skip
    return tree(
        tmp_path / "repo", {"samples.json": "[1]", "src/product.py": source}, properties, freezes=[freeze]
    )


def test_the_command_writes_json_and_junit_and_says_what_blocks(mixed: Path) -> None:
    done = invoke(mixed, "inventory", "--repeat", "1", "--json", "out/run.json", "--junit", "out/run.xml")
    written = json.loads((mixed / "out/run.json").read_text())
    suite = ET.parse(mixed / "out/run.xml").getroot()[0]  # noqa: S314  # our own file

    assert done.returncode == 1, done.stderr
    assert written["schema"] == "oraclekeep/inventory/1"
    assert {row["prop_id"]: row["status"] for row in written["properties"]} == {
        "product.good": "pass",
        "product.bad": "invariant_miss",
        "product.gone": "protocol_error",
        "product.odd": "frozen",
        "later": "invariant_miss",
    }
    assert {"prop_id", "status", "detail", "seed", "fixture", "fixture_sha256", "repeats", "seconds"} <= {
        *written["properties"][0]
    }
    assert {case.get("name"): [child.tag for child in case] for case in suite} == {
        "product.good": [],
        "product.bad": ["failure"],
        "product.gone": ["error"],
        "product.odd": ["skipped"],
        "later": ["skipped"],
    }
    assert [tuple(suite.get(key) for key in ("tests", "failures", "errors", "skipped"))] == [
        ("5", "1", "1", "2")
    ]
    assert "5 properties, 1 repeats: 2 block" in done.stdout


def test_json_to_standard_output_is_nothing_but_json(mixed: Path) -> None:
    for args in (("--json", "-"), ("--json=-",), ("--json",)):
        done = invoke(mixed, "inventory", "--only", "product.good", *args)

        assert done.returncode == 0
        assert [row["prop_id"] for row in json.loads(done.stdout)["properties"]] == ["product.good"]


def test_a_terminal_is_told_what_runs(mixed: Path) -> None:
    ours, theirs = os.openpty()
    code = "from oraclekeep.cli import main; main()"
    words = (sys.executable, "-c", code, "inventory", "--repeat", "1", "--json", "-")
    done = subprocess.run(words, cwd=mixed, env=ENV, stdout=subprocess.PIPE, stderr=theirs, check=False)
    os.close(theirs)
    seen = os.read(ours, 65536).decode()
    os.close(ours)

    assert "\x1b[K1  product.good" in seen
    assert seen.endswith("\r\x1b[K")
    assert json.loads(done.stdout)["repeats"] == 1


def test_another_tree_and_another_interpreter(mixed: Path, tmp_path: Path) -> None:
    python = tmp_path / "bin/python"
    python.parent.mkdir()
    python.write_text(f'#!/bin/sh\ntouch {tmp_path}/used\nexec {sys.executable} "$@"\n')
    python.chmod(0o755)
    done = invoke(tmp_path, "inventory", "--tree", "repo", "--python", "bin/python", "--only", "product.good")

    assert done.returncode == 0, done.stdout + done.stderr
    assert (tmp_path / "used").exists()


def test_an_interpreter_that_can_not_run_the_worker_is_a_protocol_error(mixed: Path) -> None:
    for python, words in (("nonesuch", "can't be started"), ("/bin/false", "ended before it ran")):
        done = invoke(mixed, "inventory", "--python", python, "--only", "product.good")

        assert (done.returncode, words in done.stdout) == (1, True), done.stdout + done.stderr


#: what is wrong with the inventory, words of the error
UNREADABLE = [
    ({"invariants/inventory.yaml": None}, "there is none"),
    ({"invariants/inventory.yaml": "version: 1\nproperties:\n"}, "holds no property"),
    ({"invariants/inventory.yaml": "version: 1\nproperty: []\n"}, "inventory.yaml:2"),
    ({"invariants/checks/a.py": "def check_idempotent(fn, s): pass"}, "comes with the kit"),
    (
        {
            "invariants/checks/a.py": "def check_a(fn, s): pass",
            "invariants/checks/b.py": "def check_a(fn, s): pass",
        },
        "also defined",
    ),
    ({"invariants/checks/a.py": "def check_a(fn, s:\n"}, "a.py:1: not Python"),
]


@pytest.mark.parametrize(("files", "words"), UNREADABLE)
def test_an_inventory_that_can_not_be_read_is_never_a_pass(
    mixed: Path, files: dict[str, str | None], words: str
) -> None:
    for name, text in files.items():
        path = mixed / name
        path.parent.mkdir(exist_ok=True)
        path.unlink() if text is None else path.write_text(text)

    with pytest.raises(GateError, match=re.escape(words)):
        run(mixed)


def test_a_function_that_was_there_and_is_gone_is_a_miss(make_repo) -> None:
    """
    Gone since the base, since the last commit, or with its module; a name that never was is an error.
    """
    repo = make_repo()
    source = (
        "class Box:\n    def double(self): return 1\n"
        "if True:\n    def fn(s): return s\n"
        "late = fn\n"
        "def uncommitted(s): return s\n"
    )
    properties = [
        prop(f"product.{name}") for name in ("fn", "late", "Box.double", "Box.never", "never", "uncommitted")
    ]
    tree(
        repo.root,
        {"samples.json": "[1]", "src/product.py": source, "src/other.py": "def fn(s): return s"},
        [*properties, prop("other.fn")],
    )
    repo.commit()
    repo.commit({"src/product.py": "def uncommitted(s): return s\n"})
    repo.write({"src/other.py": None, "src/product.py": ""})
    done = invoke(repo.root, "inventory", "--json")
    rows = {row["prop_id"]: row for row in json.loads(done.stdout)["properties"]}

    assert {name: row["status"] for name, row in rows.items()} == {
        "product.fn": "invariant_miss",
        "product.late": "invariant_miss",
        "product.Box.double": "invariant_miss",
        "product.Box.never": "protocol_error",
        "product.never": "protocol_error",
        "product.uncommitted": "invariant_miss",
        "other.fn": "invariant_miss",
    }
    assert rows["product.fn"]["detail"] == "product has no fn; it existed at base"


def test_a_package_at_the_root_is_found(tmp_path: Path) -> None:
    files = {
        "samples.json": "[1]",
        "product/__init__.py": "",
        "product/core.py": "from product import __name__ as n\ndef fn(s): return n",
    }
    row = {**prop("product.core"), "module": "product.core", "fn": "fn"}

    assert run(tree(tmp_path, files, [row]))["product.core"]["status"] == "pass"


def lane(
    root: Path, name: str, *, python: Path | str = sys.executable, **settings: Any
) -> tuple[subprocess.CompletedProcess[str], dict[str, Any], Path]:
    """
    Run a lane from a copy of the kit, as `prepare` leaves it, and return what it said and its evidence.
    """
    gate = root / ".gate"
    shutil.copytree(
        Path(lanekit.__file__).parent,
        gate / "kit/oraclekeep_lanekit",
        ignore=shutil.ignore_patterns("__pycache__"),
    )
    shutil.copytree(root, gate / "trees" / name, ignore=shutil.ignore_patterns(".gate"))
    snapshot = FolderSnapshot(root)
    (gate / "policy").mkdir()
    (gate / "policy/inventory.json").write_text(json.dumps(plan(read_policy(snapshot), snapshot)))
    lanes = {
        name: {"nonce": "5" * 32, "tree": f"trees/{name}", "timeout": 60, "env": {"MINE": "x"}, **settings}
    }
    ids = {"schema": "oraclekeep/run/1", "kit": "0", "base": "b", "head": "h", "today": "2026-11-30"}
    (gate / "run.json").write_text(json.dumps({**ids, "lanes": lanes}))
    done = subprocess.run(
        (str(python), str(gate / "kit/oraclekeep_lanekit"), name),
        capture_output=True,
        text=True,
        check=False,
    )
    evidence = gate / "evidence" / f"{name}.json"
    return done, json.loads(evidence.read_text()) if evidence.exists() else {}, gate / "junit" / f"{name}.xml"


def test_the_lane_leaves_evidence_that_vouches_for_its_report(mixed: Path) -> None:
    done, evidence, junit = lane(mixed, "inventory")

    assert done.returncode == 1, done.stderr
    assert tuple(evidence[key] for key in ("lane", "nonce", "base", "head", "exit_code", "ended")) == (
        "inventory",
        "5" * 32,
        "b",
        "h",
        1,
        "finished",
    )
    assert hashlib.sha256(junit.read_bytes()).hexdigest() == evidence["junit_sha256"]
    assert evidence["collected"] == ["product.good", "product.bad", "product.gone", "product.odd", "later"]
    assert evidence["stream"]["product.bad"] == "failed"
    assert evidence["collected"] == [row["prop_id"] for row in evidence["inventory"]["properties"]]
    assert {"failed"} == {one["outcome"] for one in evidence["canaries"]}
    assert not {one["nodeid"] for one in evidence["canaries"]} & {*evidence["collected"]}
    assert evidence["environment"]["python"]
    assert evidence["runner"]


def test_the_witness_also_runs_under_other_pins(tmp_path: Path) -> None:
    source = "import os\ndef fn(s): assert os.environ['TZ'] == 'UTC' and os.environ['MINE'] == 'x'\n"
    root = tree(tmp_path / "repo", {"samples.json": "[1]", "src/product.py": source}, [prop("product.fn")])
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ORACLEKEEP_RUNNER", "second")
        done, evidence, _ = lane(root, "witness")

    assert done.returncode == 0, done.stdout + done.stderr
    assert evidence["runner"] == "second"
    assert [evidence[key]["properties"][0]["status"] for key in ("inventory", "varied")] == [
        "pass",
        "invariant_miss",
    ]


def test_a_lane_without_work_says_so(mixed: Path) -> None:
    done, evidence, junit = lane(mixed, "inventory", empty_ok=True)

    assert (done.returncode, evidence["ran"], evidence["inventory"]["properties"]) == (0, 0, [])
    assert junit.exists()


def test_a_lane_that_can_not_run_leaves_no_evidence(mixed: Path) -> None:
    done, evidence, junit = lane(mixed, "inventory", command=["true"])

    assert (done.returncode, evidence, junit.exists()) == (2, {}, False)
    assert "`command:`" in done.stderr


def test_a_lane_whose_time_is_up_says_so(tmp_path: Path) -> None:
    source = "import time\ndef fn(s): time.sleep(30)\ndef good(s): return s\n"
    root = tree(
        tmp_path / "repo",
        {"samples.json": "[1]", "src/product.py": source},
        [prop("product.fn"), prop("product.good")],
    )
    rows = run(root, seconds=2)

    assert [row["status"] for row in rows.values()] == ["protocol_error"] * 2
    assert "not run to its end within the 2 s" in rows["product.fn"]["detail"]


def test_fifty_small_properties_cost_little(tmp_path: Path) -> None:
    """
    Two workers start, and each property is a fork: below 20 ms each, with room for a busy machine.
    """
    properties = [{**prop("product.fn"), "id": f"p{number}"} for number in range(50)]
    root = tree(tmp_path, {"samples.json": "[1]", "src/product.py": "def fn(s): return s"}, properties)
    began = time.monotonic()
    rows = run(root)

    assert {"pass"} == {row["status"] for row in rows.values()}
    assert time.monotonic() - began < 50 * 2 * 0.06


def test_a_lock_and_the_runner_agree_on_digests() -> None:
    """
    The kit and the lanes compute digests in two places, because lanes have the standard library only.
    """
    for data in (
        b"",
        b"[1]",
        b'{"b": 1, "a": "\xc3\xa9"}',
        b'\xef\xbb\xbf{"b": 1}',
        b'{"a": 1, "a": 2}',
        b"[NaN]",
        b"\xff",
        b"[" * 9999,
    ):
        for canonical in ("", "json"):
            assert digests.file_digest(data, canonical) == file_digest(data, canonical)


def test_a_folder_reads_like_a_commit_of_it(make_repo) -> None:
    repo = make_repo()
    repo.write(
        {"a.txt": "x", "run": "#!", "d/b": "y", ".venv/pyvenv.cfg": "", ".venv/x.py": "", "__pycache__/c": ""}
    )
    (repo.root / "run").chmod(0o755)
    (repo.root / "link").symlink_to("d")
    (repo.root / ".gitignore").write_text(".venv/\n__pycache__/\n")
    commit = repo.commit()
    folder = FolderSnapshot(repo.root)
    with Repo(repo.root).blobs() as blobs:
        theirs = TreeSnapshot(Repo(repo.root), blobs, commit)

        assert dict(theirs.under("")) == dict(folder.under(""))
        assert [*folder.under("d")] == ["d/b"]
        assert b"d" == folder.read("link") == theirs.read("link")
        assert folder.read("nonesuch") is folder.entry("nonesuch") is None

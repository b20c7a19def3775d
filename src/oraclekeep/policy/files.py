"""
Each human-owned file of one tree → the nouns of `model.py`.

A file that is not there gives its defaults; a file that is wrong raises `ConfigError` with every fault in it.
"""

from __future__ import annotations

import contextlib
import datetime as dt
import re
from typing import TYPE_CHECKING, Any, Final

from oraclekeep.errors import ConfigError
from oraclekeep.model import (
    Allowance,
    FileLock,
    FixtureNote,
    GateSettings,
    Intended,
    Intent,
    LaneSettings,
    Weights,
)
from oraclekeep.policy.documents import Document, read_document
from oraclekeep.policy.schema import Problem, problems, refuse

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from oraclekeep.model import Snapshot

WEIGHTS: Final = "oracle/weights.json"
INTENT: Final = "oracle/intent.json"
TREE_LOCKS: Final = "oracle/fixtures.lock"
FILE_LOCKS: Final = "invariants/fixture.lock.json"
SETTINGS: Final = "oracle/gate.yaml"
DEFAULT_TREE: Final = "tests/fixtures"
_LOCK_LINE: Final = re.compile(r"([0-9a-f]{64})(?:[ \t]+[*]?(\S.*))?")


def checked(tree: Snapshot, path: str, name: str) -> Document | None:
    """
    Return a file that its schema has nothing against, or None where there is no such file.
    """
    data = tree.read(path)
    if data is None:
        return None
    document = read_document(path, data)
    refuse(path, problems(document, name))
    return document


def _whole(tree: Snapshot, path: str, name: str) -> Document:
    return checked(tree, path, name) or Document(path, {}, {})


def _list(value: Any, *keys: str) -> list[Any]:
    """
    Return the list under a key; null and a missing key mean an empty one.
    """
    for key in keys:
        value = (value or {}).get(key)
    return value or []


def day(text: str) -> dt.date:
    return dt.date.fromisoformat(text)


def read_weights(tree: Snapshot) -> Weights:
    value = _whole(tree, WEIGHTS, "weights").value
    return Weights(**{key: int(points) for key, points in value.items() if not key.startswith("$")})


def read_intent(tree: Snapshot) -> Intent:
    document = _whole(tree, INTENT, "intent")
    value = document.value
    return Intent(
        allow_behavior_change=tuple(_intended(document)),
        debit_cap=int(value.get("debit_cap", Intent().debit_cap)),
        allowances=tuple(
            Allowance(
                row=item["row"],
                issue=item["issue"],
                reason=item["reason"],
                expires=day(item["expires"]),
                nodeid=item.get("nodeid", ""),
                path=item.get("path", ""),
                property=item.get("property", ""),
                line=document.line("allowances", index),
            )
            for index, item in enumerate(_list(value, "allowances"))
        ),
        fixture_changes=tuple(
            FixtureNote(
                digest=item["digest"],
                reason=item["reason"],
                tree=item.get("tree", "").rstrip("/"),
                path=item.get("path", ""),
                line=document.line("fixture_changes", index),
            )
            for index, item in enumerate(_list(value, "fixture_changes"))
        ),
    )


def _intended(document: Document) -> Iterator[Intended]:
    key = "allow_behavior_change"
    for index, item in enumerate(_list(document.value, key)):
        entry = {"path": item} if isinstance(item, str) else item
        expires = entry.get("expires")
        yield Intended(
            entry["path"],
            entry.get("issue", ""),
            day(expires) if expires else None,
            document.line(key, index),
        )


def read_tree_locks(tree: Snapshot, settings: GateSettings) -> dict[str, str]:
    """
    Read `oracle/fixtures.lock`: one digest for the one fixture tree, or a line for each tree.
    """
    data = tree.read(TREE_LOCKS)
    found: dict[str, str] = {}
    faults = []
    for number, raw in enumerate((data or b"").decode("utf-8-sig", "surrogateescape").splitlines(), start=1):
        if not raw.strip():
            continue
        match = _LOCK_LINE.fullmatch(raw.strip())
        folder = (match[2] or _only_tree(settings)).rstrip("/") if match else ""
        if match is None:
            faults.append(
                Problem(number, "not a lock line; write `<sha256>`, or `<sha256>  <tree>` for several trees")
            )
        elif not folder:
            faults.append(
                Problem(
                    number, f"the digest names no tree, and {SETTINGS} has several; write `<sha256>  <tree>`"
                )
            )
        elif folder.startswith("/") or {"", ".", ".."} & set(folder.split("/")):
            faults.append(
                Problem(number, f"{folder!r} is not a folder of this repository; write a path from its root")
            )
        elif folder in found:
            faults.append(Problem(number, f"tree {folder!r} stands twice; keep one line"))
        else:
            found[folder] = match[1]
    if data is not None and not found and not faults:
        faults.append(Problem(1, "the lock is empty; run `invoke lock`, or delete the file"))
    refuse(TREE_LOCKS, faults)
    return found


def _only_tree(settings: GateSettings) -> str:
    if len(settings.fixtures) > 1:
        return ""
    return settings.fixtures[0] if settings.fixtures else DEFAULT_TREE


def read_file_locks(tree: Snapshot) -> dict[str, FileLock]:
    value: Mapping[str, Any] = _whole(tree, FILE_LOCKS, "fixture-lock").value
    return {
        path: FileLock(lock) if isinstance(lock, str) else FileLock(lock["sha256"], lock.get("canonical", ""))
        for path, lock in value.items()
        if not path.startswith("$")
    }


def read_settings(tree: Snapshot) -> GateSettings:
    value: Mapping[str, Any] = _whole(tree, SETTINGS, "gate").value or {}
    plain = GateSettings()
    fixtures = value.get("fixtures")
    trees, additions = (
        (fixtures.get("trees"), fixtures.get("additions")) if isinstance(fixtures, dict) else (fixtures, None)
    )
    specimens = value.get("specimens") or {}

    def folders(key: str) -> tuple[str, ...]:
        return tuple(item.rstrip("/") for item in _list(value, key))

    return GateSettings(
        mode=value.get("mode", plain.mode),
        source=folders("source"),
        tests=folders("tests"),
        test_files=tuple(_list(value, "test_files")),
        fixtures=tuple(item.rstrip("/") for item in trees or ()),
        additions=additions or plain.additions,
        packages=tuple("" if folder == "." else folder for folder in folders("packages")),
        human_owned=tuple(_list(value, "human_owned")),
        owners=value.get("owners", plain.owners),
        plugins=tuple(_list(value, "plugins")),
        lanes={name: _lane(lane or {}) for name, lane in (value.get("lanes") or {}).items()},
        witness=value.get("witness", plain.witness),
        repeats=int(value.get("repeats", plain.repeats)),
        max_exception_days=int(value.get("max_exception_days", plain.max_exception_days)),
        specimens_red=specimens.get("red", plain.specimens_red),
        specimens_proof=specimens.get("proof", plain.specimens_proof),
        power=value.get("power", plain.power),
        proposer=tuple(_list(value, "proposer")),
    )


def _lane(value: Mapping[str, Any]) -> LaneSettings:
    return LaneSettings(
        required=value.get("required"),
        timeout=float(value.get("timeout", LaneSettings().timeout)),
        command=tuple(_list(value, "command")),
        env={name: str(text) for name, text in (value.get("env") or {}).items()},
        setup=tuple(_list(value, "setup")),
        shards=tuple(_list(value, "shards")),
    )


@contextlib.contextmanager
def in_head() -> Iterator[None]:
    """
    Say of a bad file that it is head's; base's own would have been refused before.
    """
    try:
        yield
    except ConfigError as error:
        raise ConfigError("\n".join(f"{line} (in head)" for line in str(error).splitlines())) from error

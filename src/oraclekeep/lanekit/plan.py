"""
What one lane is told to do, and where it leaves its report and evidence.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

RUN_SCHEMA = "oraclekeep/run/1"
EVIDENCE_SCHEMA = "oraclekeep/evidence/1"
#: Stands beside the lanes: it judges properties, and not the patch.
LIVENESS = "liveness"


class LaneError(Exception):
    """
    The lane can't run; the message says what, where, and what to do.
    """


@dataclass(frozen=True)
class Plan:
    """
    One lane of `run.json`.  ``shard`` is empty, or names the axis (Python, OS) that this run stands for.

    ``package`` is empty, or the folder of the one package whose tests this part of the lane runs.
    """

    lane: str
    shard: str
    gate: Path
    run: dict[str, Any]
    settings: dict[str, Any]
    package: str | None = None

    @property
    def tree(self) -> Path:
        return self.gate / str(self.settings["tree"])

    @property
    def label(self) -> str:
        return " ".join(part for part in (self.lane, self.package, self.shard) if part)

    @property
    def folder(self) -> Path:
        """
        Return where the tests are started: the package's folder, or the tree's root.
        """
        return self.tree / (self.package or ".")

    @property
    def config(self) -> Path:
        return self.tree / str(self.settings.get("config") or "pytest.ini")

    @property
    def prefix(self) -> str:
        """
        Return what stands before a nodeid of this part to make it one of the whole tree.
        """
        folder = self.config.parent.relative_to(self.tree).as_posix()
        return "" if folder == "." else f"{folder}/"

    def parts(self) -> list[Plan]:
        """
        Return the lane's parts, one for each package; the lane itself where it has none.
        """
        packages = self.settings.get("packages", ())
        return [
            replace(self, package=str(one["folder"]), settings={**self.settings, **one}) for one in packages
        ] or [self]

    def forget(self) -> None:
        """
        Delete what the last run of this lane left: it must not stand in for one that could not start.
        """
        for one in (self, *self.parts()):
            one.report.unlink(missing_ok=True)
            one.evidence.unlink(missing_ok=True)

    @property
    def nonce(self) -> str:
        return str(self.settings["nonce"])

    @property
    def report(self) -> Path:
        return self.gate / "junit" / f"{self._stem}.xml"

    @property
    def evidence(self) -> Path:
        return self.gate / "evidence" / f"{self._stem}.json"

    @property
    def _stem(self) -> str:
        parts = [self.lane, self.shard, "" if self.package is None else slug(self.package)]
        return "@".join(part for part in parts if part)

    def identity(self) -> dict[str, Any]:
        """
        Return the keys that tie evidence to this run.
        """
        run = self.run
        return {
            "schema": EVIDENCE_SCHEMA,
            "lane": self.lane,
            "shard": self.shard,
            "package": self.package or "",
            "nonce": self.nonce,
            "base": run["base"],
            "head": run["head"],
            "kit": run["kit"],
        }


def slug(folder: str) -> str:
    """
    Return a package's name in the names of files; no two folders share one.
    """
    if folder in ("", "."):
        return "_"
    plain = re.sub(r"[^A-Za-z0-9_/-]", "-", folder).replace("/", ".")
    exact = plain.replace(".", "/") == folder and plain != "_"
    return plain if exact else f"{plain}.{hashlib.sha256(os.fsencode(folder)).hexdigest()[:8]}"


def read_plan(lane: str, gate: Path, shard: str) -> Plan:
    """
    Find the lane in `run.json`.
    """
    path = gate / "run.json"
    try:
        run = json.loads(path.read_bytes())
    except OSError as error:
        raise LaneError(f"{path}: {error.strerror}; run `nox -s prepare` first") from error
    except ValueError as error:
        raise LaneError(f"{path}: not JSON: {error}; run `nox -s prepare` again") from error
    if not isinstance(run, dict) or run.get("schema") != RUN_SCHEMA:
        raise LaneError(f"{path}: the schema is not {RUN_SCHEMA}; run `nox -s prepare` again")
    settings = run.get(LIVENESS) if lane == LIVENESS else run.get("lanes", {}).get(lane)
    if settings is None and lane == LIVENESS:
        raise LaneError("there is no known fault to plant; put one into oracle/known_fail/")
    if not isinstance(settings, dict):
        raise LaneError(
            f"{path}: no lane named {lane!r}; there are {', '.join(sorted(run.get('lanes', {})))}"
        )
    if not re.fullmatch(r"[A-Za-z0-9._-]*", shard):
        raise LaneError(f"GATE_SHARD is {shard!r}; use letters, digits, dots and dashes")
    plan = Plan(lane, shard, gate, run, settings)
    try:
        ready = plan.tree.is_dir() and bool(plan.nonce) and all(key in run for key in ("base", "head", "kit"))
    except KeyError as error:
        raise LaneError(f"{path}: lane {lane!r} lacks {error}; run `nox -s prepare` again") from error
    if not ready:
        raise LaneError(f"{plan.tree}: the lane's tree is missing; run `nox -s prepare` again")
    return plan


def write_atomic(path: Path, data: bytes) -> None:
    """
    Readers see the old file or the new one, never half of either.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".tmp")
    with os.fdopen(handle, "wb") as file:
        file.write(data)
    Path(temporary).replace(path)


def write_evidence(plan: Plan, facts: dict[str, Any], report: bytes | None) -> None:
    """
    Write the report, if there is one, and the evidence that vouches for exactly its bytes.
    """
    if report is not None:
        write_atomic(plan.report, report)
    digest = "" if report is None else hashlib.sha256(report).hexdigest()
    document = {**plan.identity(), **facts, "junit_sha256": digest}
    write_atomic(plan.evidence, json.dumps(document, indent=1).encode("ascii") + b"\n")

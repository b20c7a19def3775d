"""
A lane's evidence as typed values, and what ties it to one run.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

from oraclekeep.effects import sha256
from oraclekeep.junit import Report, read_junit
from oraclekeep.model import Outcome

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

SCHEMA: Final = "oraclekeep/evidence/1"
#: The witness may have a `run.json` of its own, on its own machine, and so its own nonce.
_NONCE_OF_ITS_OWN: Final = frozenset({"witness"})
_YEAR: Final = 366 * 24 * 3600
#: These two run the same inventory, and say of which policy it is.
_REPLAYED: Final = frozenset({"inventory", "witness"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """
    What the lane's parent process wrote down.
    """

    lane: str
    shard: str
    nonce: str
    base: str
    head: str
    kit: str
    exit_code: int
    ended: str
    junit_sha256: str
    seconds: float | None = None
    custom_command: bool = False
    package: str = ""
    collected: tuple[str, ...] = ()
    deselected: tuple[str, ...] = ()
    extra: tuple[str, ...] = ()
    unlisted_plugins: tuple[str, ...] = ()
    contradictions: tuple[str, ...] = ()
    uncollected: Mapping[str, str] = field(default_factory=dict)
    stream: Mapping[str, Outcome] = field(default_factory=dict)
    canaries: Mapping[str, str] = field(default_factory=dict)
    internal_error: str = ""
    inventory: Mapping[str, Any] | None = None
    varied: Mapping[str, Any] | None = None
    runner: str = ""
    environment: Mapping[str, Any] = field(default_factory=dict)
    policy_tree: str = ""
    inventory_sha256: str = ""


@dataclass(frozen=True, slots=True)
class Shard:
    """
    One report with the evidence that vouches for it; either may be missing, and ``problems`` says so.
    """

    place: str  # the report's path, for messages
    report: Report | None
    evidence: Evidence | None
    problems: tuple[str, ...] = ()
    source: Path | None = None  # the evidence's file


def find_shards(lane: str, gate: Path, reports: Sequence[Path] | None) -> tuple[Shard, ...]:
    """
    Pair reports with evidence by name; one without the other is kept, so that it can be named.

    Given reports are looked up as they are, each with the evidence folder beside its own.
    """
    if reports is None:
        junit, evidence = gate / "junit", gate / "evidence"
        stems = {
            path.stem for path in (*junit.glob("*.xml"), *evidence.glob("*.json")) if _is_of(path.stem, lane)
        }
        pairs = [(junit / f"{stem}.xml", evidence / f"{stem}.json") for stem in sorted(stems)]
    else:
        pairs = [(path, _evidence_of(path, gate)) for path in reports]
    shards = [_read(report, evidence, _shown(report, gate.parent)) for report, evidence in pairs]
    return tuple(_without_doubles(shards))


def _shown(path: Path, root: Path) -> str:
    return (path.relative_to(root) if path.is_relative_to(root) else path).as_posix()


def _is_of(stem: str, lane: str) -> bool:
    return stem == lane or stem.startswith(f"{lane}@")


def _evidence_of(report: Path, gate: Path) -> Path:
    beside = report.parent.parent / "evidence" / f"{report.stem}.json"
    return beside if beside.is_file() else gate / "evidence" / f"{report.stem}.json"


def _read(report: Path, evidence: Path, place: str) -> Shard:
    problems: list[str] = []
    data = _bytes(report)
    parsed = None if data is None else read_junit(data, place)
    if parsed is None:
        problems.append("the report is missing: the run ended without writing one")
    raw = _bytes(evidence)
    known: Evidence | None = None
    if raw is None:
        problems.append(
            f"there is no evidence {evidence.name} for this report: nothing says that this run wrote it"
        )
    else:
        try:
            known = parse_evidence(raw)
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
            problems.append(
                f"evidence {evidence.name} is not what a lane writes ({type(error).__name__}: {error})"
            )
    if known is not None and data is not None and sha256(data) != known.junit_sha256:
        problems.append(
            "the report is not the one that the lane wrote: its bytes changed afterwards, or it is stale"
        )
    return Shard(place, parsed, known, tuple(problems), evidence)


def _bytes(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except OSError:
        return None


def _without_doubles(shards: Sequence[Shard]) -> Iterator[Shard]:
    seen: dict[tuple[str, str, str], str] = {}
    for shard in shards:
        if shard.evidence is None:
            yield shard
            continue
        key = (shard.evidence.package, shard.evidence.shard, shard.evidence.nonce)
        if key in seen:
            double = (
                f"{seen[key]} is a report of the same lane, shard and nonce: one of the two is not this run's"
            )
            yield replace(shard, problems=(*shard.problems, double))
        else:
            seen[key] = shard.place
            yield shard


def _finite(text: str) -> float:
    """
    Read a number that JSON can hold: the verdict repeats some of them.
    """
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(f"{text} is no number")
    return value


def parse_evidence(data: bytes) -> Evidence:
    """
    Read evidence strictly; anything of the wrong type raises `ValueError`, `TypeError` or `KeyError`.
    """
    document = json.loads(data, parse_float=_finite, parse_constant=_finite)
    if document["schema"] != SCHEMA:
        raise ValueError(f"the schema is not {SCHEMA}")
    inventory, varied = document.get("inventory"), document.get("varied")
    return Evidence(
        lane=_text(document["lane"]),
        shard=_text(document["shard"]),
        nonce=_text(document["nonce"]),
        base=_text(document["base"]),
        head=_text(document["head"]),
        kit=_text(document["kit"]),
        exit_code=_whole(document["exit_code"]),
        ended=_text(document["ended"]),
        junit_sha256=_text(document["junit_sha256"]),
        seconds=_seconds(document.get("seconds")),
        package=_text(document.get("package", "")),
        custom_command=document.get("custom_command", False) is True,
        collected=_texts(document.get("collected", [])),
        deselected=_texts(document.get("deselected", [])),
        extra=_texts(document.get("extra", [])),
        unlisted_plugins=_texts(document.get("unlisted_plugins", [])),
        contradictions=_texts(document.get("contradictions", [])),
        uncollected={_text(key): _text(value) for key, value in document.get("uncollected", {}).items()},
        stream={_text(key): Outcome(value) for key, value in document.get("stream", {}).items()},
        canaries={_text(one["nodeid"]): _text(one["outcome"]) for one in document.get("canaries", [])},
        internal_error=_text(document.get("internal_error", "")),
        inventory=None if inventory is None else dict(inventory),
        varied=None if varied is None else dict(varied),
        runner=_text(document.get("runner", "")),
        environment=dict(document.get("environment", {})),
        policy_tree=_text(document.get("policy_tree", "")),
        inventory_sha256=_text(document.get("inventory_sha256", "")),
    )


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r} is not a string")
    return value


def _texts(value: object) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise TypeError(f"{value!r} is not a list")
    return tuple(_text(one) for one in value)


def _whole(value: object) -> int:
    if not isinstance(value, int):
        raise TypeError(f"{value!r} is not a whole number")
    return value


def _seconds(value: object) -> float | None:
    """
    Read a time leniently, since it decides nothing: what no run takes is unknown.
    """
    return float(value) if isinstance(value, (int, float)) and 0 <= value < _YEAR else None


def strangers(evidence: Evidence, run: Mapping[str, Any], lane: str) -> Iterator[str]:
    """
    Yield why evidence is not this run's, if it is not.
    """
    if evidence.lane != lane:
        yield f"the evidence is of lane {evidence.lane!r}"
    for key, what in (("base", "base commit"), ("head", "head commit"), ("kit", "version of the kit")):
        ours, theirs = run[key], getattr(evidence, key)
        if ours != theirs:
            yield f"the evidence is of another {what}: {theirs[:50]} instead of {ours[:50]}"
    subjects = (("policy_tree", evidence.policy_tree), ("inventory", evidence.inventory_sha256))
    for key, theirs in subjects if lane in _REPLAYED else ():
        ours = run[key]
        if ours != theirs:
            what = key.replace("_", " ")
            yield f"the evidence is of another {what}: {theirs[:50] or 'none'} instead of {ours[:50]}"
    if lane not in _NONCE_OF_ITS_OWN and evidence.nonce != run["lanes"][lane]["nonce"]:
        yield "the evidence carries another run's nonce: it is stale or forged"

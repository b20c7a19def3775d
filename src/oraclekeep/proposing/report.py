"""
What `propose` says: each candidate with its class, which are worth keeping, and what to type next.
"""

from __future__ import annotations

import enum
import shlex
from typing import TYPE_CHECKING, Any, Final

from oraclekeep.lanekit.inventory_classes import MISS, NOISE, PASS
from oraclekeep.proposing.queue import row_of
from oraclekeep.reports.wording import one_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from oraclekeep.model import CheckCall
    from oraclekeep.proposing.promote import Promotion
    from oraclekeep.proposing.propose import Proposal, Tried

_FEW: Final = 12


class Worth(enum.StrEnum):
    """
    What a candidate is good for, by what its run said.
    """

    KEEP = "keep"
    CHEAP = "cheap"
    LOOK = "look"
    DROP = "drop"
    MEND = "mend"


#: What is said above the candidates of each kind.
_HEADINGS: Final = {
    Worth.KEEP: "worth keeping; an owner types, in a working copy of base:",
    Worth.CHEAP: "they hold, and ask for little; `oraclekeep promote ID --note WHY` takes one over:",
    Worth.LOOK: "worth a look: the function is wrong, or the claim; an owner keeps the claim with --pending:",
    Worth.DROP: "tries that failed; delete them from the file, or leave them out with --only-green:",
    Worth.MEND: "can't be judged as they stand; mend what is said above, and run `oraclekeep propose` again:",
}
_OPTIONS: Final = {Worth.KEEP: "", Worth.CHEAP: "", Worth.LOOK: " --pending"}


def worth(one: Tried) -> Worth:
    """
    Say what a candidate is good for.
    """
    law, status = one.candidate.law, one.row["status"]
    mild = {call.name for call in law.checks} <= {"never_raises", "raises_only", "deterministic"}
    told = one.candidate.named or (not one.candidate.samples and not mild)
    if status == PASS:
        return Worth.KEEP if told or not mild else Worth.CHEAP
    if status == MISS:
        return Worth.LOOK if told or mild else Worth.DROP
    return Worth.LOOK if status == NOISE else Worth.MEND


def command_of(one: Tried) -> str:
    """
    Return the line that an owner would type; empty where there is none.
    """
    option = _OPTIONS.get(worth(one))
    if option is None or one.row["status"] == NOISE:
        return ""
    return f"oraclekeep promote {shlex.quote(one.candidate.law.id)} --note WHY{option}"


def as_json(found: Proposal) -> dict[str, Any]:
    """
    Return all of it, as `oraclekeep/propose/1`.
    """
    return {
        "schema": "oraclekeep/propose/1",
        "base": found.span.base,
        "merge_base": found.span.merge_base,
        "head": found.span.head,
        "unjudged": found.span.unjudged,
        "files": list(found.files),
        "candidates": [_candidate(one) for one in found.tried],
        "left_out": [{"name": one.name, "why": one.why} for one in found.thoughts.left],
        "known": [{"function": function, "property": ident} for function, ident in found.thoughts.known],
        "unreadable": list(found.thoughts.faults),
    }


def _candidate(one: Tried) -> dict[str, Any]:
    law = one.candidate.law
    return {
        "id": law.id,
        "module": law.module,
        "fn": law.fn,
        "checks": [{"name": call.name, "parameters": dict(call.parameters)} for call in law.checks],
        "fixture": law.fixture,
        "strategy": law.strategy,
        "samples": one.candidate.source,
        "origin": one.candidate.origin or "signature",
        "status": one.row["status"],
        "detail": one.row["detail"],
        "repeats": one.row["repeats"],
        "worth": worth(one).value,
        "command": command_of(one),
        "file": one.path,
    }


def as_text(found: Proposal) -> str:
    """
    Return it for a terminal.
    """
    return "".join(f"{line}\n" for line in _lines(found))


def _lines(found: Proposal) -> Iterator[str]:
    span, tried = found.span, found.tried
    sides = f"{span.base[:12]}..{span.head.removeprefix('worktree:')[:12]}"
    base = one_line(span.base_from)
    yield f"{_count(len(tried), 'candidate')} for {sides} (base: {base}); none of them votes"
    if span.unjudged:
        yield f"{_count(span.unjudged, 'uncommitted file')} were not looked at; --worktree does"
    if tried:
        yield ""
        yield from _table(tried)
    for kind, heading in _HEADINGS.items():
        of_kind = [one for one in tried if worth(one) is kind]
        if of_kind:
            yield ""
            yield heading
            typed = kind is not Worth.CHEAP
            yield from _few([(typed and command_of(one)) or one.candidate.law.id for one in of_kind])
    yield from _notes("left out:", [f"{one.name}: {one.why}" for one in found.thoughts.left])
    yield from _notes("said already:", [f"{function}: {ident}" for function, ident in found.thoughts.known])
    yield from _notes("not read:", found.thoughts.faults)
    yield from _notes("written, for any patch to carry:", list(found.files))


def _table(tried: Iterable[Tried]) -> Iterator[str]:
    rows = [(one.row["status"], one_line(one.candidate.law.id), _said(one)) for one in tried]
    widths = [max(len(row[column]) for row in rows) for column in (0, 1)]
    yield from (f"{one:<{widths[0]}}  {two:<{widths[1]}}  {three}".rstrip() for one, two, three in rows)


def _said(one: Tried) -> str:
    law = one.candidate.law
    checks = ", ".join(call.name for call in law.checks)
    if one.row["status"] != PASS:
        return one_line(one.row["detail"])
    amount = f"{_count(len(one.candidate.samples), 'sample')} of " if one.candidate.samples else ""
    more = f"; {one.row['detail']}" if one.row["detail"] else ""
    return one_line(f"{law.module}.{law.fn}: {checks}; {amount}{one.candidate.source}{more}")


def _notes(heading: str, lines: Iterable[str]) -> Iterator[str]:
    kept = list(lines)
    if kept:
        yield ""
        yield heading
        yield from _few(kept)


def _few(lines: Sequence[str]) -> Iterator[str]:
    yield from (f"  {one_line(line)}" for line in lines[:_FEW])
    if len(lines) > _FEW:
        yield f"  and {len(lines) - _FEW} more; --json lists them"


def _count(number: int, word: str) -> str:
    return f"{number} {word}" if number == 1 else f"{number} {word}s"


# ------------------------------------------------------------------------------------------------- promotion


def promotion_json(found: Promotion) -> dict[str, Any]:
    """
    Return what was promoted, as `oraclekeep/promote/1`.
    """
    return {
        "schema": "oraclekeep/promote/1",
        "property": row_of(found.law),
        "status": found.row["status"],
        "detail": found.row["detail"],
        "fixture_sha256": found.row["fixture_sha256"],
        "written": [path for path, data in found.files.items() if data is not None],
        "removed": [path for path, data in found.files.items() if data is None],
        "remarks": list(found.remarks),
        "commands": list(found.commands()),
    }


def _call(call: CheckCall) -> str:
    given = ", ".join(f"{key}={value!r}" for key, value in call.parameters.items())
    return f"{call.name}({given})" if given else call.name


def promotion_text(found: Promotion) -> str:
    """
    Return it for a terminal.
    """
    law = found.law
    votes = "votes from the first merge at which it passes" if law.pending else "votes from now on"
    sample = law.fixture or law.strategy
    detail = f": {one_line(found.row['detail'])}" if found.row["detail"] else ""
    checks = ", ".join(map(_call, law.checks))
    lines = [
        f"{law.id} is a property now, with seed {law.seed} and {one_line(sample)}; it {votes}",
        one_line(f"it holds {law.module}.{law.fn} to {checks}; its run said {found.row['status']}{detail}"),
        *(one_line(line) for line in found.remarks),
        "then, in a commit of its own:",
        *(f"  {line}" for line in found.commands()),
    ]
    return "".join(f"{line}\n" for line in lines)

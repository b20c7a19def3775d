"""
Rules about the properties of the inventory: one is gone, can fail in fewer ways, or is new (SPEC §2).
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from oraclekeep.model import Finding, PatchKind
from oraclekeep.oracles.parsing import Unparsable, parse
from oraclekeep.policy.files import in_head
from oraclekeep.policy.ledgers import INVENTORY, replays_of
from oraclekeep.rules import rule

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from oraclekeep.model import CheckCall, Property, Snapshot
    from oraclekeep.paths import Layout
    from oraclekeep.rules import Patch

#: What a property draws where it does not say: hypothesis' own default.
_EXAMPLES: Final = 100
#: What a property may change only together with its note, since no one can tell which side is stricter.
_SWAPPED: Final = ("seed", "fixture", "strategy", "clock")
_ADVICE: Final = (
    "put it back, or land an allowance {row: property-removed, property: …} in oracle/intent.json "
    "in a patch before this one"
)
#: Words in a parameter's name → whether a larger value makes the check easier to pass.
_TOLERANCES: Final = {
    "tol": True,
    "tolerance": True,
    "rel": True,
    "abs": True,
    "rtol": True,
    "atol": True,
    "eps": True,
    "epsilon": True,
    "delta": True,
    "places": False,
    "digits": False,
}
_BOUNDS: Final = {
    "lo": False,
    "low": False,
    "lower": False,
    "min": False,
    "minimum": False,
    "hi": True,
    "high": True,
    "upper": True,
    "max": True,
    "maximum": True,
}


@dataclass(frozen=True, slots=True)
class _Loss:
    message: str
    before: str
    after: str | None


@rule("property-removed", "property-added")
def inventory_properties(patch: Patch) -> Iterator[Finding]:
    """
    A property is compared with the one of the same id, or with its own self under a new one.
    """
    if not patch.policy.adopted or INVENTORY not in {delta.path for delta in patch.deltas}:
        return
    old = {each.id: each for each in replays_of(patch.base).inventory.properties}
    with in_head():
        new = {each.id: each for each in replays_of(patch.head).inventory.properties}
    arrived = {id_: each for id_, each in new.items() if id_ not in old}
    for id_, before in old.items():
        if id_ in new:
            after = new[id_]
            for loss in _losses(before, after, patch.head, patch.layout):
                yield _removed(id_, after.line, loss)
            continue
        heir = next((key for key, each in arrived.items() if _is_renamed(before, each)), None)
        if heir is None:
            yield _removed(id_, 0, _Loss(f"property {id_} is gone", _shown(before), None))
        else:
            del arrived[heir]
    for id_, each in arrived.items():
        if each.checks and patch.kind is PatchKind.OWNER:
            yield Finding(
                INVENTORY,
                each.line,
                "property-added",
                id_,
                f"property {id_} holds {each.module}.{each.fn} to {_shown(each)}",
            )


def _removed(id_: str, line: int, loss: _Loss) -> Finding:
    return Finding(INVENTORY, line, "property-removed", id_, loss.message, _ADVICE, loss.before, loss.after)


def _shown(each: Property) -> str:
    return ", ".join(_call(check) for check in each.checks) or "nothing"


def _call(check: CheckCall) -> str:
    return (
        f"{check.name}({', '.join(f'{key}={value!r}' for key, value in check.parameters.items())})"
        if check.parameters
        else check.name
    )


def _is_renamed(old: Property, new: Property) -> bool:
    same = all(
        getattr(old, key) == getattr(new, key)
        for key in ("module", "fn", "fixture", "strategy", "seed", "clock")
    )
    return same and not new.pending and not any(_check_losses(old, new)) and _drawn(new) >= _drawn(old)


def _drawn(each: Property) -> int:
    return each.examples or _EXAMPLES


def _losses(old: Property, new: Property, head: Snapshot, layout: Layout) -> Iterator[_Loss]:
    yield from _check_losses(old, new)
    if new.pending and not old.pending:
        yield _Loss(
            f"property {old.id} becomes pending: it no longer votes", "pending: false", "pending: true"
        )
    if old.strategy and new.strategy and _drawn(new) < _drawn(old):
        yield _Loss(
            f"property {old.id} draws fewer examples", f"examples: {_drawn(old)}", f"examples: {_drawn(new)}"
        )
    if (old.module, old.fn) != (new.module, new.fn) and _is_defined(head, layout, old):
        yield _Loss(
            f"property {old.id} holds another function than before, and the old one still stands",
            f"{old.module}.{old.fn}",
            f"{new.module}.{new.fn}",
        )
    if old.note.split() == new.note.split():
        for key in _SWAPPED:
            was, now = getattr(old, key), getattr(new, key)
            if was != now:
                yield _Loss(
                    f"the {key} of property {old.id} changed, and its note says nothing of it",
                    f"{key}: {was}",
                    f"{key}: {now}",
                )


def _check_losses(old: Property, new: Property) -> Iterator[_Loss]:
    left = list(new.checks)
    for check in old.checks:
        named = [each for each in left if each.name == check.name]
        # The same call first, then one that is as strict: two calls of one check may differ in parameters.
        match = (
            next((each for each in named if each == check), None)
            or next((each for each in named if not _is_looser(check.parameters, each.parameters)), None)
            or next(iter(named), None)
        )
        if match is None:
            yield _Loss(f"property {old.id} no longer checks {check.name}", _call(check), None)
            continue
        left.remove(match)
        if _is_looser(check.parameters, match.parameters):
            yield _Loss(
                f"check {check.name} of property {old.id} can fail in fewer ways", _call(check), _call(match)
            )


def _is_looser(old: Mapping[str, object], new: Mapping[str, object]) -> bool:
    """
    Return whether any parameter changed, other than in a direction that is known to be stricter.
    """
    return any(
        not _is_stricter(key, old.get(key), new.get(key))
        for key in {*old, *new}
        if old.get(key) != new.get(key)
    )


def _is_stricter(key: str, old: object, new: object) -> bool:
    """
    Return whether the new value surely passes less.

    A bound that is not given bounds nothing, a tolerance that is not given is none.
    """
    words = key.lower().split("_")
    for table, is_tolerance in ((_BOUNDS, False), (_TOLERANCES, True)):
        for larger_is_looser in (table[word] for word in words if word in table):
            if old is None or new is None:
                return (new is None) is is_tolerance
            if isinstance(old, (int, float)) and isinstance(new, (int, float)):
                return (new < old) is larger_is_looser
    return False


def _is_defined(head: Snapshot, layout: Layout, each: Property) -> bool:
    """
    Return whether head still defines the function; a name that only points elsewhere has moved.
    """
    stem = each.module.replace(".", "/")
    for root in layout.source:
        prefix = "" if root in (".", "") else f"{root.rstrip('/')}/"
        for path in (
            f"{prefix}{stem}.py",
            f"{prefix}{stem}/__init__.py",
            f"{stem}.py",
            f"{stem}/__init__.py",
        ):
            data = head.read(path)
            if data is not None:
                return _defines(path, data, each.fn)
    return False


def _defines(path: str, data: bytes, name: str) -> bool:
    try:
        tree = parse(path, data)
    except Unparsable:
        return True
    first = name.split(".", 1)[0]
    for node in tree.body:
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef() if node.name == first:
                return True
            case ast.Assign(targets=targets, value=value) if not isinstance(value, (ast.Name, ast.Attribute)):
                if any(isinstance(target, ast.Name) and target.id == first for target in targets):
                    return True
            case _:
                pass
    return False

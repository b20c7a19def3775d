"""
The coverage statuses that a service reports for a patch: `codecov.yml` asks for less (`machinery-weakened`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from oraclekeep.model import Finding
from oraclekeep.rules import rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from oraclekeep.machinery.yamltext import Yaml
    from oraclekeep.model import Snapshot
    from oraclekeep.rules import Patch

#: https://docs.codecov.com/docs/codecov-yaml: the places that are looked at, the first one counts.
_PLACES: Final = tuple(
    f"{folder}{name}" for folder in ("", ".github/", "dev/") for name in ("codecov.yml", ".codecov.yml")
)
_ADVICE: Final = "Leave the target as it was, or ask the owner for an allowance in oracle/intent.json."
_OFF: Final = frozenset({"false", "off", "no"})


@rule("machinery-weakened")
def coverage_statuses(patch: Patch) -> Iterator[Finding]:
    """
    Report a coverage status that fails less often, or is gone.
    """
    if not any(delta.path in _PLACES for delta in patch.deltas):
        return
    path, before = _statuses(patch.base)
    place, after = _statuses(patch.head)
    for name, old in sorted(before.items()):
        new = after.get(name)
        what = "the status is gone" if new is None else _looser(old, new)
        if what:
            yield Finding(
                path=place or path,
                line=new.line if new is not None else 0,
                row="machinery-weakened",
                message=f"Coverage status {name}: {what}.",
                advice=_ADVICE,
                before=old.canon(),
                after=new.canon() if new is not None else None,
            )


def _statuses(tree: Snapshot) -> tuple[str, dict[str, Yaml]]:
    """
    Return the file, and by name every status that is on; one that cannot be read has none.
    """
    from oraclekeep.machinery import yamltext  # noqa: PLC0415  # loads a YAML parser, needed only here

    path = next((one for one in _PLACES if tree.entry(one) is not None), "")
    if not path:
        return "", {}
    try:
        documents = yamltext.read((tree.read(path) or b"").decode("utf-8", "replace"))
    except yamltext.BadYaml:
        return path, {}
    found: dict[str, Yaml] = {}
    for kind, value in (pair for one in documents for pair in one.at("coverage", "status").map.items()):
        named = {f"{kind}.{name}": one for name, one in value.map.items()}
        inner = named if any(one.map for one in named.values()) else {kind: value}
        found |= {name: one for name, one in inner.items() if one.text.lower() not in _OFF}
    return path, found


def _looser(old: Yaml, new: Yaml) -> str:
    """
    Say how the new status fails less often than the old one, or nothing.
    """
    if _is_on(new, "informational") and not _is_on(old, "informational"):
        return "it only informs now"
    was, now = (_number(one.at("target").text) for one in (old, new))
    if now is not None and (was is None or now < was):
        return "the target is lower" if was is not None else "the target no longer follows base"
    was, now = (_number(one.at("threshold").text) or 0 for one in (old, new))
    return "the threshold lets more pass" if now > was else ""


def _is_on(status: Yaml, key: str) -> bool:
    return status.at(key).text.lower() in {"true", "yes", "on"}


def _number(text: str) -> float | None:
    try:
        return float(text.strip().removesuffix("%"))
    except ValueError:
        return None

"""
The verdict as one self-contained page: no script, nothing loaded, and no name from outside is markup.
"""

from __future__ import annotations

import base64
import hashlib
from importlib import resources
from typing import TYPE_CHECKING, Any

import jinja2

import oraclekeep
from oraclekeep.reports import view, wording
from oraclekeep.reports.diffs import diff
from oraclekeep.reports.waterfall import budget

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


def page(verdict: Mapping[str, Any]) -> str:
    """
    Render the page; every name, message and check is escaped, and a browser is told to trust only our style.
    """
    css = _dense(_file("verdict.css"))
    environment = jinja2.Environment(
        autoescape=True, trim_blocks=True, lstrip_blocks=True, undefined=jinja2.StrictUndefined
    )
    template = environment.from_string(_file("verdict.html.jinja"))
    digest = base64.b64encode(hashlib.sha256(css.encode()).digest()).decode()
    text = template.render(
        **_told(verdict),
        css=css,
        css_hash=f"sha256-{digest}",
        version=oraclekeep.__version__,
        diff=diff,
        line=wording.one_line,
        view=view,
        wording=wording,
    )
    return _dense(text) + "\n"


def _dense(text: str) -> str:
    """
    Leave out empty lines; names from outside hold no line break, so that none of them is one.
    """
    return "\n".join(line for line in text.split("\n") if line.strip())


def _file(name: str) -> str:
    return resources.files("oraclekeep.reports").joinpath("templates", name).read_text(encoding="utf-8")


def _told(verdict: Mapping[str, Any]) -> dict[str, Any]:
    blocking, _ = wording.split(verdict)
    lanes, told = view.lanes(verdict), verdict["witness"]
    power = verdict.get("power") or {}
    shown: dict[str, Any] = {
        "verdict": {"patch": "", "intent": [], "base": "", "head": "", **verdict},
        "headline": wording.headline(verdict),
        "tone": view.tone(verdict),
        "summary": wording.summary(verdict),
        "alerts": wording.alerts(verdict),
        "power": power if {"base", "head"} <= set(power) else None,
        "kinds": wording.by_kind(verdict),
        "blocking": blocking,
        "groups": view.groups(blocking),
        "reasons": [] if blocking or verdict["decision"] == "allow" else verdict["reasons"],
        "first_notes": view.first_notes(verdict),
        "steps": wording.steps(blocking),
        "budget": budget(verdict),
        "lanes": lanes,
        "green": sum(one.klass == "green" for one in lanes),
        "not_green": [f"{one.name} {one.klass}" for one in lanes if one.tone in {"bad", "watch"}],
        "remarks": wording.remarks(verdict),
        "replays": view.replays(verdict),
        "witness_state": "none" if told is None else told["state"].replace("-", " "),
        "notes": view.notes(verdict),
        "record": list(view.record(verdict)),
    }
    return {**shown, "contents": list(_contents(shown))}


def _contents(shown: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """
    Yield the parts that this page has, as links.
    """
    if shown["first_notes"]:
        yield "first", "Read first"
    if shown["steps"]:
        yield "next", "What to do"
    if shown["budget"].steps:
        yield "budget", "Budget"
    if shown["blocking"] or shown["reasons"]:
        yield "why", "Why"
    yield "lanes", "Lanes"
    if shown["replays"]:
        yield "witness", "Witness"
    yield "notes", "For the record"

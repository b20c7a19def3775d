"""
Documents against the published JSON Schemas, with messages that name the line, the fault and what is allowed.
"""

from __future__ import annotations

import difflib
import json
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any

from oraclekeep.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from oraclekeep.policy.documents import Document


#: A `jsonschema.ValidationError`; its stubs call each field unset at times, which a reported one never is.
Fault = Any


@dataclass(frozen=True, slots=True)
class Problem:
    """
    One fault of one file; ``where`` is the place in the document.
    """

    line: int
    message: str
    where: tuple[str | int, ...] = ()


def refuse(path: str, problems: Iterable[Problem]) -> None:
    """
    Raise one `ConfigError` that lists every problem, one per line; do nothing where there is none.
    """
    lines = [f"{path}:{problem.line}: {problem.message}" for problem in sorted(set(problems), key=_by_line)]
    if lines:
        raise ConfigError("\n".join(lines))


def _by_line(problem: Problem) -> tuple[int, str]:
    return problem.line, problem.message


@cache
def schema(name: str) -> Mapping[str, Any]:
    """
    Return one published schema by the name of its file: `weights`, `fixture-lock` and so on.
    """
    text = (
        resources.files("oraclekeep").joinpath("schemas", f"{name}.schema.json").read_text(encoding="utf-8")
    )
    found: dict[str, Any] = json.loads(text)
    return found


def problems(document: Document, name: str) -> tuple[Problem, ...]:
    """
    Return everything that a document's schema has against it.
    """
    rules = schema(name)
    # A file as `init` writes it equals its schema's default; the validator costs more than all our imports.
    if "default" in rules and _canonical(document.value) == _canonical(rules["default"]):
        return ()
    return tuple(_validate(document, rules))


def _canonical(value: Any) -> str:
    return json.dumps(value, sort_keys=True)


def _validate(document: Document, rules: Mapping[str, Any]) -> Iterator[Problem]:
    from jsonschema import Draft202012Validator  # noqa: PLC0415  # start-up counts
    from referencing import Registry, Resource  # noqa: PLC0415  # same

    inventory = schema("inventory")  # `proposed` refers to it
    registry: Registry[Any] = Registry().with_resource(inventory["$id"], Resource.from_contents(inventory))
    validator = Draft202012Validator(
        rules, registry=registry, format_checker=Draft202012Validator.FORMAT_CHECKER
    )
    for error in validator.iter_errors(document.value):
        yield from _explain(document, error)


def _explain(document: Document, error: Fault) -> Iterator[Problem]:
    where = tuple(error.absolute_path)
    line, place = document.line(*where), _place(where)
    match error.validator:
        case "additionalProperties" if error.validator_value is False:
            known = list(error.schema.get("properties", {}))
            for key in error.instance:
                if key not in known:
                    yield Problem(document.line(*where, key), _unknown(key, known), (*where, key))
        case "required":
            for key in error.validator_value:
                if key not in error.instance:
                    yield Problem(line, f"{place}key {key!r} is missing; allowed is {_allowed(error)}", where)
        case "anyOf" | "oneOf":
            yield from _explain_choice(document, error)
        case _ if "propertyNames" in error.absolute_schema_path:
            line = document.line(*where, error.instance)
            yield Problem(line, f"key {error.instance!r} is not allowed; write {_allowed(error)}", where)
        case _:
            yield Problem(
                line, f"{place}{_shown(error.instance)} is not allowed; write {_allowed(error)}", where
            )


def _explain_choice(document: Document, error: Fault) -> Iterator[Problem]:
    """
    Speak of the one form that was meant where the value's type tells, else of all of them.
    """
    where = tuple(error.absolute_path)
    branches: dict[int, list[Fault]] = {}
    for inner in error.context or ():
        branches.setdefault(int(inner.relative_schema_path[0]), []).append(inner)
    meant = [found for found in branches.values() if not any(_wrong_type(inner) for inner in found)]
    if all("required" in choice for choice in error.validator_value):
        names = ", ".join(repr(choice["required"][0]) for choice in error.validator_value)
        count = "exactly one" if error.validator == "oneOf" else "one"
        yield Problem(document.line(*where), f"{_place(where)}{count} of the keys {names} must stand", where)
    elif len(meant) == 1:
        for inner in meant[0]:
            yield from _explain(document, inner)
    else:
        message = f"{_place(where)}{_shown(error.instance)} is not allowed; write {_allowed(error)}"
        yield Problem(document.line(*where), message, where)


def _wrong_type(error: Fault) -> bool:
    return error.validator == "type" and not error.relative_path


def _place(where: tuple[str | int, ...]) -> str:
    """
    Name a value by its keys: `items[0].expires: `; the document itself needs no name.
    """
    text = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in where)
    return f"{text.lstrip('.')}: " if text else ""


def _unknown(key: str, known: Iterable[str]) -> str:
    names = [name for name in known if not name.startswith("$")]
    near = difflib.get_close_matches(key, names, n=1, cutoff=0.5)
    hint = f"did you mean {near[0]!r}?" if near else f"allowed are {', '.join(names)}"
    return f"unknown key {key!r}; {hint}"


def _shown(value: object) -> str:
    if isinstance(value, dict):
        return "a mapping"
    if isinstance(value, list):
        return "a list"
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 60 else f"{text[:57]}…"


def _allowed(error: Fault) -> str:
    return str(error.schema.get("description", error.message))

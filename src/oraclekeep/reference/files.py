"""
The owner's files and the JSON that tasks print, each from its published schema or from a real answer.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from importlib import resources
from typing import TYPE_CHECKING, Any, Final

from oraclekeep.policy.schema import schema

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_OWNED: Final = ("oracle/", "invariants/")
_FILES: Final = """\
# Files

What humans own. All are read from base; a bad one is exit 2, with the file, the line and what is allowed. An
unknown key is an error. Where a list may stand, nothing means an empty one. The tables are made from the
schemas that the gate itself checks by; editors find them under `oraclekeep/schemas/`.

These have no schema:

| path | holds |
|---|---|
| `oracle/fixtures.lock` | a line `<sha256>  <tree>` for each frozen tree; `oraclekeep lock` writes it |
| `oracle/properties/` | pytest files that every patch must satisfy |
| `oracle/known_fail/` | faults that the properties must notice |
| `oracle/allowed_signers` | OpenSSH's form: who may sign an owner's patch or a witness |
| `invariants/checks/*.py` | `check_NAME(fn, sample, **parameters)`, which raise `AssertionError` |
"""
_DOCUMENTS: Final = """\
# JSON

Each answer has a `schema` field with a name and a number; the number rises when a key changes its meaning or
goes. New keys may come at any time.
"""
_LONG: Final = 60


@dataclass(frozen=True, slots=True)
class Sample:
    """
    What one command line printed in the example repository.
    """

    document: Any
    exit_code: int = 0


def files_page() -> str:
    """
    Return a section for each file that a schema describes.
    """
    return _FILES + "".join(_section(name) for name in _names() if _is_owned(name))


def documents_page(samples: Mapping[str, Sample]) -> str:
    """
    Return a section for each published schema of an answer, and for each sample its keys and an excerpt.
    """
    published = "".join(_section(name) for name in _names() if not _is_owned(name))
    return _DOCUMENTS + published + "".join(_sample(*item) for item in samples.items())


def _names() -> list[str]:
    folder = resources.files("oraclekeep").joinpath("schemas")
    return sorted(path.name.removesuffix(".schema.json") for path in folder.iterdir())


def _is_owned(name: str) -> bool:
    return str(schema(name).get("title", "")).startswith(_OWNED)


def _section(name: str) -> str:
    rules = schema(name)
    path, _, what = str(rules.get("title", name)).partition(": ")
    rows = "".join(f"| {' | '.join(row)} |\n" for row in _rows(rules, rules, ""))
    about = f"{what[:1].upper()}{what[1:]}. " if what else ""
    table = f"| key | what may stand | default |\n|---|---|---|\n{rows}"
    form = table if rows else f"It is {rules.get('description', 'an object')}.\n"
    return f"\n## `{path}`\n\n{about}Schema: `{name}.schema.json`.\n\n{form}"


def _rows(rules: Mapping[str, Any], root: Mapping[str, Any], above: str) -> Iterator[tuple[str, str, str]]:
    """
    Yield key, meaning and default of everything below an object, a list's items too.
    """
    for branch in _objects(rules, root):
        required = branch.get("required", ())
        for key, value in _alike(branch.get("properties", {})).items():
            if key.startswith("$"):
                continue
            inner, home = _resolved(value, root)
            place = f"{above}{key}"
            what = _cell(str(inner.get("description", "")))
            default = f"`{json.dumps(inner['default'])}`" if "default" in inner else ""
            yield f"`{place}`", f"{what}{'; required' if key in required else ''}", default
            yield from _rows(inner, home, f"{place}.")
            for form in (inner, *inner.get("anyOf", ()), *inner.get("oneOf", ())):
                if "items" in form:
                    items, its_home = _resolved(form["items"], home)
                    yield from _rows(items, its_home, f"{place}[].")


def _alike(properties: Mapping[str, Any]) -> Mapping[str, Any]:
    """
    Name keys in one, as `LANE`, where all of them have the same form.
    """
    forms = {str(value.get("$ref", key)) for key, value in properties.items()}
    if len(forms) > 1 or len(properties) < 2:
        return properties
    form = next(iter(forms)).rpartition("/")[2]
    text = f"{form.upper()} is one of {', '.join(properties)}"
    return {form.upper(): {**next(iter(properties.values())), "description": text}}


def _objects(rules: Mapping[str, Any], root: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    if "properties" in rules:
        yield rules
    for key in ("anyOf", "oneOf"):
        for branch in rules.get(key, ()):
            yield from _objects(_resolved(branch, root)[0], root)


def _resolved(
    rules: Mapping[str, Any], root: Mapping[str, Any]
) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
    """
    Follow a reference, and return what it leads to with the document that it stands in.
    """
    if "$ref" not in rules:
        return rules, root
    file, _, pointer = str(rules["$ref"]).partition("#")
    home = schema(file.removesuffix(".schema.json")) if file else root
    found: Any = home
    for step in filter(None, pointer.split("/")):
        found = found[step]
    said = {key: value for key, value in rules.items() if key != "$ref"}
    return {**found, **said}, home


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def _sample(words: str, sample: Sample) -> str:
    document = sample.document
    keys = document if isinstance(document, dict) else {}
    rows = "".join(f"| `{key}` | {_type(value)} |\n" for key, value in keys.items())
    excerpt = json.dumps(_shortened(document), indent=2, ensure_ascii=False)
    return (
        f"\n## `{words}`\n\nExit code {sample.exit_code} in the example repository.\n\n"
        f"| key | type |\n|---|---|\n{rows}\n```json\n{excerpt}\n```\n"
    )


def _type(value: object) -> str:
    names = {
        bool: "true or false",
        int: "integer",
        float: "number",
        str: "text",
        list: "list",
        dict: "object",
    }
    return names.get(type(value), "null")


def _shortened(value: Any, depth: int = 0) -> Any:
    """
    Leave the first of a list, the first few of a mapping further down, and the beginning of a long text.
    """
    if isinstance(value, list):
        return [_shortened(one, depth + 1) for one in value[:1]] + (["…"] if len(value) > 1 else [])
    if isinstance(value, dict):
        few = 12 if depth > 1 else len(value)
        short = {key: _shortened(one, depth + 1) for key, one in list(value.items())[:few]}
        return {**short, **({"…": "…"} if len(value) > few else {})}
    if isinstance(value, str) and len(value) > _LONG:
        return f"{value[: _LONG - 1]}…"
    return value

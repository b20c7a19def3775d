"""
Strict readers for JSON and YAML that know the line of each key and value.

Duplicate keys, NaN, infinities and bytes that are not UTF-8 are errors; a byte order mark is not.
"""

from __future__ import annotations

import json
import math
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from oraclekeep.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    import yaml

#: The pieces of a text that is known to be valid JSON; what lies between them is white space.
_JSON_PIECE: Final = re.compile(r'\n|"(?:[^"\\]|\\.)*"|[{}\[\],:]|[^\s{}\[\],:"]+')
_YAML_TAG: Final = "tag:yaml.org,2002:"
_INTEGER: Final = re.compile(r"[-+]?(0|[1-9][0-9]*)")


@dataclass(frozen=True, slots=True)
class Document:
    """
    One file as plain values.  ``lines`` maps the place of a value to the line of its key, or of itself.
    """

    path: str
    value: Any
    lines: Mapping[tuple[str | int, ...], int]

    def line(self, *where: str | int) -> int:
        """
        Return the line of a value, or of the nearest one around it.
        """
        while where and where not in self.lines:
            where = where[:-1]
        return self.lines.get(where, 1)


def read_document(path: str, data: bytes) -> Document:
    """
    Read one file by the ending of its name.

    Raises `ConfigError` with file and line where it is not strict JSON or YAML.
    """
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise ConfigError(f"{path}:{line}: not UTF-8; save the file as UTF-8") from error
    try:
        return _read_json(path, text) if path.endswith(".json") else _read_yaml(path, text)
    except RecursionError as error:
        raise ConfigError(f"{path}:1: nested too deeply to be a settings file") from error


# ------------------------------------------------------------------------------------------------- JSON


def _read_json(path: str, text: str) -> Document:
    try:
        json.loads(text)
    except json.JSONDecodeError as error:
        raise ConfigError(f"{path}:{error.lineno}: not JSON: {error.msg}") from error
    except ValueError as error:  # an integer of thousands of digits
        raise ConfigError(f"{path}:1: not JSON that can be read: {error}") from error
    walk = _JsonWalk(path, text)
    return Document(path, walk.document(), walk.lines)


class _JsonWalk:
    """
    A second pass over a text that `json` accepted; it notes lines and refuses what `json` lets through.
    """

    def __init__(self, path: str, text: str) -> None:
        self._path = path
        self._pieces = _json_pieces(text)
        self.lines: dict[tuple[str | int, ...], int] = {}

    def document(self) -> Any:
        return self._value((), *next(self._pieces))

    def _value(self, where: tuple[str | int, ...], line: int, piece: str) -> Any:
        self.lines.setdefault(where, line)
        if piece == "{":
            return self._object(where)
        if piece == "[":
            return self._array(where)
        scalar = json.loads(piece)
        if isinstance(scalar, float) and not math.isfinite(scalar):
            raise ConfigError(f"{self._path}:{line}: {piece} is not a finite number; write one")
        return scalar

    def _object(self, where: tuple[str | int, ...]) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for line, piece in self._pieces:
            if piece == "}":
                break
            if piece == ",":
                continue
            key = json.loads(piece)
            if key in found:
                raise ConfigError(f"{self._path}:{line}: key {key!r} stands twice; keep one")
            next(self._pieces)  # the colon
            self.lines[(*where, key)] = line
            found[key] = self._value((*where, key), *next(self._pieces))
        return found

    def _array(self, where: tuple[str | int, ...]) -> list[Any]:
        found: list[Any] = []
        for line, piece in self._pieces:
            if piece == "]":
                break
            if piece != ",":
                found.append(self._value((*where, len(found)), line, piece))
        return found


def _json_pieces(text: str) -> Iterator[tuple[int, str]]:
    line = 1
    for match in _JSON_PIECE.finditer(text):
        if match[0] == "\n":
            line += 1
        else:
            yield line, match[0]


# ------------------------------------------------------------------------------------------------- YAML


def _read_yaml(path: str, text: str) -> Document:
    import yaml  # noqa: PLC0415  # start-up counts, and many repositories have no YAML of ours

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        root = yaml.compose(text, Loader=loader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = mark.line + 1 if mark else 1
        raise ConfigError(f"{path}:{line}: not YAML: {error.problem or error.context}") from error
    except yaml.YAMLError as error:
        raise ConfigError(f"{path}:1: not YAML: {str(error).splitlines()[0]}") from error
    walk = _YamlWalk(path)
    return Document(path, None if root is None else walk.value((), root), walk.lines)


class _YamlWalk:
    """
    Nodes → plain values.  Dates stay text, only `true` and `false` are booleans, anchors are refused.
    """

    def __init__(self, path: str) -> None:
        self._path = path
        self._seen: set[int] = set()
        self.lines: dict[tuple[str | int, ...], int] = {}

    def value(self, where: tuple[str | int, ...], node: yaml.Node) -> Any:
        line = node.start_mark.line + 1
        self.lines.setdefault(where, line)
        if id(node) in self._seen:
            raise ConfigError(
                f"{self._path}:{line}: an anchor is used again; write the value out where it is used"
            )
        self._seen.add(id(node))
        match node.tag.removeprefix(_YAML_TAG), node.value:
            case "map", list() as pairs:
                return self._mapping(where, pairs)
            case "seq", list() as items:
                return [self.value((*where, index), item) for index, item in enumerate(items)]
            case ("str" | "null" | "bool" | "int" | "float" | "timestamp") as tag, str() as text:
                return self._scalar(line, tag, text)
            case _:
                raise ConfigError(
                    f"{self._path}:{line}: tag {node.tag!r} is not allowed; write a plain value"
                )

    def _mapping(
        self, where: tuple[str | int, ...], pairs: list[tuple[yaml.Node, yaml.Node]]
    ) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for key, item in pairs:
            line = key.start_mark.line + 1
            if not isinstance(key.value, str):
                raise ConfigError(f"{self._path}:{line}: a key must be a word, not a list or a mapping")
            if key.value in found:
                raise ConfigError(f"{self._path}:{line}: key {key.value!r} stands twice; keep one")
            self.lines[(*where, key.value)] = line
            found[key.value] = self.value((*where, key.value), item)
        return found

    def _scalar(self, line: int, tag: str, text: str) -> Any:
        if tag == "null":
            return None
        if tag == "bool" and text.lower() in ("true", "false"):
            return text.lower() == "true"
        if tag == "int" and _INTEGER.fullmatch(text):
            return self._number(line, int, text)
        if tag == "float":
            return self._number(line, float, text)
        return text

    def _number(self, line: int, kind: type[int | float], text: str) -> int | float:
        """
        YAML 1.1 reads `1:30`, `0x1f` and `.inf` as numbers; people who write them mean something else.
        """
        try:
            number = kind(text)
        except ValueError as error:
            raise ConfigError(
                f"{self._path}:{line}: {text} is not a number that can be read; write a finite one"
            ) from error
        if not math.isfinite(number):
            raise ConfigError(f"{self._path}:{line}: {text} is not a finite number; write one")
        return number

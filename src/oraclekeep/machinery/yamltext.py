"""
YAML as text with lines: `on` stays `on`, nothing is constructed, and every value knows where it stands.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import yaml

if TYPE_CHECKING:
    from collections.abc import Iterator

_LIMIT: Final = 200_000  # values, aliases followed; a file with more is a bomb


class BadYaml(Exception):  # noqa: N818  # reported as a finding
    """
    A file that is not YAML, or too large to follow.
    """


@dataclass(frozen=True)
class Yaml:
    """
    One value: a scalar's text, a tuple of values, or a mapping of text to values.
    """

    value: str | tuple[Yaml, ...] | dict[str, Yaml]
    line: int

    @property
    def text(self) -> str:
        return self.value.strip() if isinstance(self.value, str) else ""

    @property
    def raw(self) -> str:
        return self.value if isinstance(self.value, str) else ""

    @property
    def items(self) -> tuple[Yaml, ...]:
        """
        Return a list's values; one scalar stands for a list of one.
        """
        if isinstance(self.value, tuple):
            return self.value
        return (self,) if isinstance(self.value, str) and self.text else ()

    @property
    def map(self) -> dict[str, Yaml]:
        return self.value if isinstance(self.value, dict) else {}

    def get(self, key: str) -> Yaml | None:
        return self.map.get(key)

    def at(self, *keys: str) -> Yaml:
        """
        Follow keys; a missing one gives an empty value.
        """
        found: Yaml | None = self
        for key in keys:
            found = found.get(key) if found is not None else None
        return found if found is not None else Yaml("", self.line)

    def canon(self) -> str:
        """
        Return the value as one line of text, for comparing by meaning.
        """
        if isinstance(self.value, str):
            return " ".join(self.value.split())
        if isinstance(self.value, tuple):
            return f"[{', '.join(item.canon() for item in self.value)}]"
        return f"{{{', '.join(f'{key}: {item.canon()}' for key, item in sorted(self.value.items()))}}}"

    def walk(self) -> Iterator[Yaml]:
        yield self
        if isinstance(self.value, str):
            return
        inner = self.value if isinstance(self.value, tuple) else tuple(self.value.values())
        for item in inner:
            yield from item.walk()


#: The scanner in C where PyYAML was built with it, and the same one in Python elsewhere.
_LOADER: Final = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@functools.lru_cache(maxsize=512)
def read(text: str) -> tuple[Yaml, ...]:
    """
    Return the documents of a file; most files are the same on both sides, and are read once.

    Raises `BadYaml`.
    """
    try:
        builder = _Builder()
        return tuple(builder.build(node) for node in yaml.compose_all(text, Loader=_LOADER))
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        mark = getattr(error, "problem_mark", None)
        where = f"line {mark.line + 1}: " if mark is not None else ""
        raise BadYaml(f"{where}{getattr(error, 'problem', None) or error}") from error


class _Builder:
    def __init__(self) -> None:
        self._count = 0

    def build(self, node: yaml.Node) -> Yaml:
        self._count += 1
        if self._count > _LIMIT:
            raise BadYaml("too many values")
        line = node.start_mark.line + 1
        if isinstance(node, yaml.MappingNode):
            found: dict[str, Yaml] = {}
            merged: dict[str, Yaml] = {}
            for key, value in node.value:
                if key.value == "<<":
                    for source in value.value if isinstance(value, yaml.SequenceNode) else [value]:
                        merged = self.build(source).map | merged
                else:
                    found[str(key.value)] = self.build(value)
            return Yaml(merged | found, line)
        if isinstance(node, yaml.SequenceNode):
            return Yaml(tuple(self.build(item) for item in node.value), line)
        # A block scalar's text begins below its own mark.
        is_block = isinstance(node, yaml.ScalarNode) and node.style in {"|", ">"}
        return Yaml(str(node.value), line + (1 if is_block else 0))

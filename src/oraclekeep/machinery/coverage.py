"""
The coverage settings in force at the root of one tree, whichever file they stand in.
"""

from __future__ import annotations

import configparser
import re
import tomllib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from oraclekeep.machinery.options import Loss

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from oraclekeep.model import Snapshot

#: Lines that cannot run in a test; leaving them out lowers no floor worth the name.
_HARMLESS: Final = re.compile(
    r"TYPE_CHECKING|overload|assert_never|NotImplemented|abstractmethod|__main__|\\?\.\\?\.\\?\.|pragma|Protocol|AssertionError"
    r"|__repr__|__str__"
)


@dataclass(frozen=True)
class Coverage:
    """
    Coverage's settings by `section:key`; ``path`` is the file that holds them.
    """

    path: str = ""
    values: Mapping[str, object] = field(default_factory=dict)

    def floor(self) -> float:
        try:
            return float(str(self.values.get("report:fail_under", 0) or 0))
        except ValueError:
            return 0.0

    def items(self, key: str) -> tuple[str, ...]:
        value = self.values.get(key)
        if isinstance(value, list):
            return tuple(str(item) for item in value)
        return tuple(item.strip() for item in re.split(r"[\n,]", str(value or "")) if item.strip())

    def is_true(self, key: str) -> bool:
        return str(self.values.get(key, "")).strip().lower() in {"true", "1", "yes", "on"}


def coverage_of(tree: Snapshot) -> Coverage:
    for path, section in ((".coveragerc", ""), ("setup.cfg", "coverage:"), ("tox.ini", "coverage:")):
        data = tree.read(path)
        values = _ini(data, section) if data is not None else {}
        if values or (data is not None and not section):
            return Coverage(path, values)
    for path in (".coveragerc.toml", "pyproject.toml"):
        data = tree.read(path)
        if data is not None and (values := _toml(data)):
            return Coverage(path, values)
    return Coverage()


def _ini(data: bytes, prefix: str) -> dict[str, object]:
    parser = configparser.RawConfigParser(strict=False)
    try:
        parser.read_string(data.decode("utf-8-sig", "replace"))
    except configparser.Error:
        return {}
    return {
        f"{name.removeprefix(prefix)}:{key}": value
        for name in parser.sections()
        if name.startswith(prefix)
        for key, value in parser.items(name)
    }


def _toml(data: bytes) -> dict[str, object]:
    try:
        document: dict[str, Any] = tomllib.loads(data.decode("utf-8-sig", "replace"))
    except tomllib.TOMLDecodeError:
        return {}
    table = document.get("tool", {}).get("coverage", {})
    return {
        f"{section}:{key}": value
        for section, values in table.items()
        if isinstance(values, dict)
        for key, value in values.items()
    }


def coverage_losses(before: Coverage, after: Coverage) -> Iterator[Loss]:
    """
    Yield what counts less code below a floor; the floors and `--cov-branch` are the caller's to compare.
    """
    for key in (
        "run:omit",
        "report:omit",
        "report:exclude_lines",
        "report:exclude_also",
        "report:partial_branches",
    ):
        old = set(before.items(key)) | set(before.items(_TWIN.get(key, key)))
        for item in after.items(key):
            if item not in old and not _HARMLESS.search(item):
                yield Loss(
                    "coverage leaves out more code below the same floor", "", f"{key} = {item}", coverage=True
                )
    kept = after.items("run:source") + after.items("run:source_pkgs") + after.items("run:include")
    for item in before.items("run:source"):
        if kept and item not in kept:
            yield Loss(
                "coverage measures less code below the same floor",
                f"source: {item}",
                f"source: {', '.join(kept)}",
                coverage=True,
            )


_TWIN: Final = {
    "run:omit": "report:omit",
    "report:omit": "run:omit",
    "report:exclude_lines": "report:exclude_also",
    "report:exclude_also": "report:exclude_lines",
}

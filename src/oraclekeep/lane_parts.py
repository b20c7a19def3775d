"""
The parts of a lane in a repository of several packages: each is started in its package's folder.

Packages have test modules of the same name, conftests and settings of their own; one run of pytest over all
of them is none that their authors know.  What lies in no package is run from the root: nothing is left out.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from oraclekeep.errors import ConfigError
from oraclekeep.paths import is_below, pytest_settings

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from oraclekeep.model import GateSettings, Snapshot


@dataclass(frozen=True, slots=True)
class Part:
    """
    What one package brings to a lane; the arguments are seen from its folder.
    """

    folder: str  # empty for the root
    args: tuple[str, ...]
    config: str = ""


def named_parts(packages: Sequence[str], files: Iterable[str]) -> tuple[Part, ...]:
    """
    Return the parts that run exactly these files.
    """
    return tuple(
        Part(folder, tuple(_seen_from(folder, path) for path in held))
        for folder, held in _by_package(packages, files)
    )


def whole_parts(
    packages: Sequence[str], files: Iterable[str], tree: Snapshot, settings: GateSettings
) -> tuple[Part, ...]:
    """
    Return the parts that run whole suites, as far as pytest's settings do not place them already.
    """
    found = []
    for folder, held in _by_package(packages, files):
        inner = [each for each in packages if each != folder and is_below(each, folder)]
        own = [each for each in settings.tests if is_below(each, folder)]
        placed = folder and not inner and pytest_settings(tree, folder).testpaths
        if own and not any(is_below(each, place) for each in inner for place in own):
            args = [_seen_from(folder, place) for place in own]
        else:
            args = [] if placed else sorted({_place(folder, path, inner) for path in held})
        found.append(Part(folder, tuple(args)))
    known = {part.folder for part in found}
    found += [Part(each, ()) for each in packages if each not in known and _has_examples(tree, each)]
    return tuple(sorted(found, key=lambda part: part.folder))


def _has_examples(tree: Snapshot, folder: str) -> bool:
    """
    Tell whether a package without test files has pytest run examples: docstrings, or texts.
    """
    settings = next(
        (one for place in config_places(folder) if (one := pytest_settings(tree, place)).path), None
    )
    return (
        settings is not None
        and "doctest" in str(settings.options.get("addopts"))
        and bool(tree.under(folder))
    )


def check_packages(packages: Sequence[str], *trees: Snapshot) -> None:
    """
    Refuse a package that is nowhere: its tests would be missed by nobody.
    """
    for folder in packages:
        if folder and not any(tree.under(folder) for tree in trees):
            raise ConfigError(
                f"oracle/gate.yaml: packages: there is no folder {folder!r}; name the packages' roots"
            )


def config_places(folder: str) -> Iterator[str]:
    """
    Yield the folders in which pytest would look for its settings, the nearest first.
    """
    while folder:
        yield folder
        folder = folder.rpartition("/")[0]
    yield ""


def _by_package(packages: Sequence[str], files: Iterable[str]) -> list[tuple[str, list[str]]]:
    held: dict[str, list[str]] = {}
    for path in sorted(files):
        home = max((each for each in packages if is_below(path, each)), key=len, default="")
        held.setdefault(home, []).append(path)
    return sorted(held.items())


def _seen_from(folder: str, path: str) -> str:
    return path[len(folder) :].lstrip("/") or "." if folder else path


def _place(folder: str, path: str, inner: Sequence[str]) -> str:
    """
    Return the topmost folder of a test, or its file where another package lies below that folder.
    """
    seen = _seen_from(folder, path)
    top = seen.partition("/")[0]
    whole = str(PurePosixPath(folder, top))
    return seen if any(is_below(each, whole) for each in inner) else top

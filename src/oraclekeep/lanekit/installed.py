"""
What is installed in the lane's venv, read from the folder names of site-packages without importing any of it.
"""

from __future__ import annotations

import configparser
import os
import platform
import re
import site
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence


@dataclass(frozen=True)
class Distribution:
    """
    One installed distribution and the names under which it offers pytest plugins.
    """

    name: str
    version: str
    plugins: dict[str, str]  # entry point -> module


@dataclass(frozen=True)
class Plugins:
    """
    Which pytest plugins load, by entry point, and which are left out, by distribution.
    """

    loaded: tuple[str, ...]
    unlisted: tuple[str, ...]


def distributions() -> list[Distribution]:
    """
    Return everything installed beside the running interpreter.
    """
    prefix = Path(sys.executable).parent.parent  # the venv's, also where `site` was not run
    # Debian's Python does not know then that this is a venv, and names folders of its own.
    ours = prefix / "lib" / f"python{sys.version_info[0]}.{sys.version_info[1]}" / "site-packages"
    folders = dict.fromkeys((ours, *map(Path, site.getsitepackages([str(prefix)]))))
    return sorted((found for folder in folders for found in _in(folder)), key=lambda found: found.name)


def _in(folder: Path) -> Iterator[Distribution]:
    for info in sorted(folder.glob("*.dist-info")):
        name, _, version = info.name.removesuffix(".dist-info").partition("-")
        yield Distribution(normal(name), version, _pytest_plugins(info / "entry_points.txt"))


def _pytest_plugins(path: Path) -> dict[str, str]:
    try:
        text = path.read_text(encoding="utf-8")
    except OSError:
        return {}
    if "pytest11" not in text:
        return {}
    parser = configparser.RawConfigParser(delimiters=("=",), strict=False)
    parser.optionxform = str  # type: ignore[assignment,method-assign]  # entry points keep their case
    parser.read_string(text)
    return dict(parser.items("pytest11")) if parser.has_section("pytest11") else {}


def normal(name: str) -> str:
    """
    Write a distribution's name as registries compare it.
    """
    return re.sub(r"[-_.]+", "-", name).lower()


def choose(found: Sequence[Distribution], listed: Sequence[str]) -> Plugins:
    """
    Sort plugins by what base lists; a distribution, an entry point or a module names one.
    """
    allowed = set(listed) | {normal(name) for name in listed}
    loaded: list[str] = []
    unlisted: list[str] = []
    for distribution in found:
        for entry, module in distribution.plugins.items():
            if {distribution.name, entry, module} & allowed:
                loaded.append(entry)
            elif distribution.name not in unlisted:
                unlisted.append(distribution.name)
    return Plugins(tuple(loaded), tuple(unlisted))


def describe(found: Sequence[Distribution], environ: Mapping[str, str]) -> dict[str, Any]:
    """
    Return the environment as evidence has it.
    """
    return {
        "os": platform.system(),
        "machine": platform.machine(),
        "python": platform.python_version(),
        "tz": environ.get("TZ") or time.tzname[0],
        "locale": environ.get("LC_ALL") or environ.get("LC_CTYPE") or environ.get("LANG") or "C",
        "cpus": os.cpu_count() or 0,
        "packages": {distribution.name: distribution.version for distribution in found},
    }

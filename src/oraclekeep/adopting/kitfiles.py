"""
Files that the kit hands out: out of a checkout they are the ones that it uses itself.
"""

from __future__ import annotations

from importlib import resources
from pathlib import Path
from typing import Final

from oraclekeep.errors import MissingEvidence

NOXFILE: Final = "demo/project/noxfile.py"
_PACKAGE: Final = "oraclekeep"
_BUILT: Final = "templates"


def kit_file(name: str) -> str:
    """
    Return a file of the kit's package, or of `ci/` and the root of its checkout, which a wheel carries along.

    Raises `MissingEvidence` where this installation lacks it.
    """
    inside = resources.files(_PACKAGE)
    root = Path(__file__).resolve().parents[3]
    for place in (inside / name, inside / _BUILT / name, root / name):
        if place.is_file():
            return place.read_text(encoding="utf-8")
    raise MissingEvidence(f"this installation of oraclekeep lacks {name}; install it anew")

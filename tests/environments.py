"""
Virtual environments for tests, made in a moment: they find this one's packages and have room for more.
"""

from __future__ import annotations

import sys
import venv
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


def environment(folder: Path) -> Path:
    """
    Make one and return its interpreter.
    """
    venv.create(folder, with_pip=False, symlinks=True)
    here = [path for path in sys.path if path.endswith("site-packages")]
    python = folder / "bin/python"
    (site_of(python) / "a_packages.pth").write_text("".join(f"{path}\n" for path in here))
    return python


def site_of(python: Path) -> Path:
    return next(python.parent.parent.glob("lib/python*/site-packages"))

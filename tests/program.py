"""
The real program in a process of its own, and the small repository that its tests change.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from .scores import PUBLISHED, checked

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tests.conftest import GitRepo

SOURCE: Final = Path(__file__).resolve().parent.parent / "src"
TEST: Final = "tests/test_shop.py"
CODE: Final = "src/shop/core.py"
CORE: Final = "def total(items):\n    return sum(items)\n"
GOOD: Final = (
    "from shop.core import total\n\n\n"
    "def test_total():\n    assert total([1, 2]) == 3\n    assert total([]) == 0\n"
)
WEAK: Final = GOOD.replace("    assert total([]) == 0\n", "")
MORE: Final = GOOD + "    assert total([5]) == 5\n"
BASE: Final = {
    "pyproject.toml": '[project]\nname = "shop"\nversion = "1"\n',
    "src/shop/__init__.py": "",
    CODE: CORE,
    TEST: GOOD,
    "oracle/intent.json": '{"allow_behavior_change": ["src/shop/core.py"]}\n',
}


@dataclass(frozen=True)
class Answer:
    """
    What the program left behind.
    """

    code: int
    out: str
    err: str

    @property
    def document(self) -> dict[str, Any]:
        document = dict(json.loads(self.out))
        return checked(document) if document.get("schema") in PUBLISHED else document

    @property
    def rejecting(self) -> list[str]:
        return [one["rule"] for one in self.document["findings"] if one["gate"] == "reject"]


def run(folder: Path, *words: str, task: str = "score", env: Mapping[str, str] | None = None) -> Answer:
    """
    Run the program in a folder, deaf to the caller's CI and Git configuration.
    """
    kept = {
        key: value for key, value in os.environ.items() if key in ("PATH", "SYSTEMROOT", "TMPDIR", "TEMP")
    }
    plain = {
        "PYTHONPATH": str(SOURCE),
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_NOSYSTEM": "1",
        "HOME": str(folder),
        "LC_ALL": "C.UTF-8",
    }
    done = subprocess.run(
        (sys.executable, "-m", "oraclekeep", task, *words),
        cwd=folder,
        env=kept | plain | dict(env or {}),
        capture_output=True,
        check=False,
    )
    return Answer(done.returncode, done.stdout.decode("utf-8"), done.stderr.decode("utf-8", "replace"))


def branched(
    repo: GitRepo, head: Mapping[str, str | bytes | None], base: Mapping[str, str | bytes | None] = BASE
) -> None:
    """
    Commit a base on `main` and a patch on `patch`.
    """
    repo.commit(base)
    repo.git("checkout", "--quiet", "-b", "patch")
    repo.commit(head)

"""
A `.gate/` folder with one lane, prepared by hand, and real runs through the copied lanekit.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import oraclekeep.lanekit
from oraclekeep.lanes import read_lane

if TYPE_CHECKING:
    from collections.abc import Callable

    from oraclekeep.model import Lane


@dataclass(frozen=True)
class Gate:
    """
    A `.gate/` folder with one lane, prepared by hand.
    """

    folder: Path
    lane: str

    @property
    def tree(self) -> Path:
        return self.folder / "trees" / self.lane

    @property
    def report(self) -> Path:
        return self.folder / "junit" / f"{self.lane}.xml"

    @property
    def evidence(self) -> Path:
        return self.folder / "evidence" / f"{self.lane}.json"

    @property
    def run_json(self) -> dict[str, Any]:
        document: dict[str, Any] = json.loads((self.folder / "run.json").read_bytes())
        return document

    def start(
        self, *extra: str, python: Path | str = sys.executable, **environ: str
    ) -> subprocess.CompletedProcess[str]:
        command = [str(python), str(self.folder / "kit" / "oraclekeep_lanekit"), self.lane, *extra]
        env = {**os.environ, **environ}
        return subprocess.run(
            command, cwd=self.folder.parent, env=env, capture_output=True, text=True, check=False
        )

    def read(self) -> Lane:
        return read_lane(self.lane, self.run_json, self.folder)

    def rows(self) -> list[str]:
        return sorted({finding.row for finding in self.read().blocking})

    def messages(self) -> str:
        return "\n".join(finding.message for finding in self.read().blocking)

    def facts(self) -> dict[str, Any]:
        document: dict[str, Any] = json.loads(self.evidence.read_bytes())
        return document

    def rewrite(self, **changes: Any) -> None:
        """
        Change the evidence, as a forger who knows its form would.
        """
        self.evidence.write_text(json.dumps({**self.facts(), **changes}))

    def forge_report(self, text: str) -> None:
        """
        Replace the report and make the evidence vouch for it.
        """
        self.report.write_text(text)
        self.rewrite(junit_sha256=hashlib.sha256(self.report.read_bytes()).hexdigest())


@pytest.fixture
def gate(tmp_path: Path) -> Callable[..., Gate]:
    """
    Return a function that prepares one lane; settings go into its part of `run.json`.
    """

    def make(
        files: dict[str, str], *, lane: str = "suite", config: str = "[pytest]\n", **settings: Any
    ) -> Gate:
        folder = tmp_path / ".gate"
        made = Gate(folder, lane)
        kit = Path(oraclekeep.lanekit.__file__).parent
        shutil.copytree(
            kit, folder / "kit" / "oraclekeep_lanekit", ignore=shutil.ignore_patterns("__pycache__")
        )
        for name, text in {"pytest.ini": config, **files}.items():
            path = made.tree / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        plan = {
            "nonce": "5eed", "tree": f"trees/{lane}", "required": True, "timeout": 60, "config": "pytest.ini",
            "args": [], "env": {}, "command": [], "quarantine": [], "specimens": [], "plugins": [],
            "empty_ok": False, **settings,
        }  # fmt: skip
        run = {
            "schema": "oraclekeep/run/1",
            "kit": "0.1.0",
            "base": "b" * 40,
            "head": "c" * 40,
            "today": "2026-12-01",
            "policy_tree": "",
            "inventory": "",
            "lanes": {lane: plan},
        }
        (folder / "run.json").write_text(json.dumps(run))
        return made

    return make

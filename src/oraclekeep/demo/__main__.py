"""
`nox -s demo`: run the real gate on every patch of the demo and compare the answers.

`python -m oraclekeep.demo --build DIR` only writes the example, each patch as a branch.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from oraclekeep.demo.build import build
from oraclekeep.demo.patches import PATCHES, DemoPatch

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True, slots=True)
class Answer:
    """
    What the gate said of one patch.
    """

    decision: str
    rows: frozenset[str]
    exit_code: int
    output: str

    def fits(self, patch: DemoPatch) -> bool:
        """
        Tell whether this is the answer that is due, with the exit code that belongs to it.
        """
        due = {"allow": 0, "reject": 1}[patch.decision]
        return self.decision == patch.decision and self.exit_code == due and self.rows.issuperset(patch.rows)


def judge(folder: Path, patch: DemoPatch) -> Answer:
    """
    Run `nox -s gate` on one branch, as a user would.
    """
    argv = [sys.executable, "-m", "nox", "-s", "gate", "--", "--base", "main", "--head", patch.name]
    done = subprocess.run(argv, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    output = done.stdout.decode("utf-8", "replace")
    try:
        verdict = json.loads((folder / ".gate" / "verdict.json").read_text(encoding="utf-8"))
        rows = frozenset(finding["rule"] for finding in verdict["findings"])
        return Answer(verdict["decision"], rows, done.returncode, output)
    except (OSError, ValueError, KeyError, TypeError) as error:
        return Answer("no verdict", frozenset(), done.returncode, f"{output}\n{error}")


def main(argv: Sequence[str] | None = None) -> int:
    """
    Print a line for each patch; 0 only where every answer is the expected one.
    """
    parser = argparse.ArgumentParser(prog="nox -s demo --", description=__doc__)
    parser.add_argument("--only", choices=[patch.name for patch in PATCHES], help="judge one patch")
    parser.add_argument(
        "--keep", type=Path, metavar="DIR", help="build in an empty folder and leave it there"
    )
    parser.add_argument("--build", type=Path, metavar="DIR", help="only build, in an empty folder")
    wishes = parser.parse_args(argv)
    patches = [patch for patch in PATCHES if wishes.only in (None, patch.name)]
    if wishes.build:
        build(wishes.build.resolve(), patches)
        return 0
    if wishes.keep:
        return _run(wishes.keep.resolve(), patches)
    with tempfile.TemporaryDirectory(prefix="oraclekeep-demo-", ignore_cleanup_errors=True) as scratch:
        return _run(Path(scratch), patches)


def _run(folder: Path, patches: Sequence[DemoPatch]) -> int:
    build(folder, patches)
    wrong = []
    for patch in patches:
        started = time.monotonic()
        answer = judge(folder, patch)
        ok = answer.fits(patch)
        wanted = f"{patch.decision} {' '.join(patch.rows)}".strip()
        sys.stdout.write(
            f"{'ok' if ok else 'WRONG':6}{patch.name:26}{time.monotonic() - started:5.1f} s  {patch.story}\n"
            f"{'':6}expected {wanted}; given {answer.decision} {' '.join(sorted(answer.rows))}\n"
        )
        sys.stdout.flush()
        if not ok:
            wrong.append(patch.name)
            sys.stdout.write(answer.output + f"\n(exit {answer.exit_code})\n")
    sys.stdout.write(f"{len(patches) - len(wrong)} of {len(patches)} answers are the expected ones\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    raise SystemExit(main())

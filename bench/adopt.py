"""
Adopt the gate in real packages, as somebody new to it would, and land patches there.

    python bench/adopt.py [PACKAGE ...] [--kit SOURCE] [--keep FOLDER]

`adopt.toml` has the packages and their patches.  Each source distribution becomes a repository; the kit goes
into a fresh environment, `oraclekeep init` adopts it, and the gate judges the adoption, what the owner adds,
and each patch.  Every answer but that on a next release is compared with the one that is due.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tempfile
import time
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from releases import commit, git, unpacked

from oraclekeep.demo.build import apply, kit_requirement
from oraclekeep.demo.patches import Edit

PROJECTS = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))["project"]
#: What `init` asks of a person who has a noxfile already.
ADD = "add to the end of noxfile.py:\n\n"


def slug(name: str) -> str:
    return re.sub(r"\W+", "-", name)


@dataclass(frozen=True)
class Answer:
    """
    What the gate said to one patch, and how long it took.
    """

    patch: str
    exit_code: int
    due: int | None
    seconds: float

    @property
    def is_right(self) -> bool:
        return self.due in (None, self.exit_code)

    def __str__(self) -> str:
        right = "as due" if self.is_right else f"WRONG, {self.due} is due"
        said = "read it" if self.due is None else right
        return f"{self.patch:32} exit {self.exit_code}, {said:16} {self.seconds:5.1f} s"


@dataclass(frozen=True)
class Adopter:
    """
    One package in a repository of its own.
    """

    table: dict[str, Any]
    root: Path
    kit: str

    @property
    def package(self) -> str:
        return str(self.table["package"])

    @property
    def repo(self) -> Path:
        return self.root / self.package

    def answers(self) -> list[Answer]:
        self.repo.mkdir()
        git(self.repo, "init", "-q", "-b", "main")
        before = self._release(self.table["version"])
        git(self.repo, "tag", self.table["version"])  # some versions are made from tags
        begun = time.monotonic()
        self._adopt()
        found = [self._judged("the adoption", before, "HEAD", 0, begun)]
        found += [self._landed(patch, is_owners=True) for patch in self.table.get("owned", ())]
        for patch in self.table["patch"]:
            git(self.repo, "checkout", "-q", "-b", slug(patch["name"]), "main")
            found.append(self._landed(patch))
        if version := self.table.get("next"):
            found.append(self._upgraded(version))
        return found

    def _release(self, version: str) -> str:
        tree = unpacked(self.package, version, self.root / f"{self.package}-{version}")
        return commit(self.repo, tree, version)

    def _adopt(self) -> None:
        subprocess.run([sys.executable, "-m", "venv", self._venv], check=True)
        self._python("pip", "install", "-q", self.kit)
        wishes = ("--kit", self.kit, "--ci", "github", "--owner", "@bench", "--json")
        for step in json.loads(self._python("oraclekeep", "init", *wishes))["by_hand"]:
            print(f"{self.package:16} left to a person: {step.partition(chr(10))[0]}", flush=True)
            if step.startswith(ADD):
                apply(self.repo, Edit("noxfile.py", "", "\n" + step.removeprefix(ADD)))
        self._commit("adopt the gate")

    @property
    def _venv(self) -> Path:
        return self.root / f"{self.package}.venv"

    def _python(self, *words: str) -> str:
        """
        Run a module in the environment that has the kit; return what it prints.
        """
        bins = next(path for path in (self._venv / "bin", self._venv / "Scripts") if path.is_dir())
        argv = [bins / "python", "-m", *words]
        with (self.root / f"{self.package}.log").open("a", encoding="utf-8") as log:
            out = subprocess.PIPE
            return subprocess.run(argv, cwd=self.repo, check=True, stdout=out, stderr=log, text=True).stdout

    def _commit(self, message: str) -> None:
        git(self.repo, "add", "-A")
        git(self.repo, "commit", "-qm", message)

    def _landed(self, patch: dict[str, Any], *, is_owners: bool = False) -> Answer:
        for edit in patch["edits"]:
            apply(self.repo, Edit(edit["path"], edit.get("old", ""), edit["new"]))
        if is_owners:
            self._python("oraclekeep", "lock", "--note", patch["name"])
        self._commit(patch["name"])
        head = git(self.repo, "rev-parse", "HEAD")
        if not is_owners:
            git(self.repo, "checkout", "-q", "main")  # as CI does: noxfile and policy are base's
        return self._judged(patch["name"], f"{head}~1", head, patch["due"])

    def _upgraded(self, version: str) -> Answer:
        """
        Commit the next release over main, with the gate's own files as main has them.
        """
        git(self.repo, "checkout", "-q", "-b", "next", "main")
        ours = git(self.repo, "diff", "--name-only", "--diff-filter=A", self.table["version"], "main")
        self._release(version)
        git(self.repo, "checkout", "-q", "main", "--", *ours.splitlines())
        git(self.repo, "commit", "-q", "--amend", "--no-edit")
        git(self.repo, "checkout", "-q", "main")
        return self._judged(f"release {version}", "main", "next", None)

    def _judged(self, name: str, base: str, head: str, due: int | None, begun: float | None = None) -> Answer:
        """
        Run the gate, and print its verdict where that is not plainly the right one.
        """
        begun = begun or time.monotonic()
        argv = [self.repo / "noxw", "-s", "gate", "--", "--base", base, "--head", head]
        out, both = subprocess.PIPE, subprocess.STDOUT
        done = subprocess.run(argv, cwd=self.repo, stdout=out, stderr=both, text=True, check=False)
        answer = Answer(name, done.returncode, due, time.monotonic() - begun)
        print(f"{self.package:16} {answer}", flush=True)
        (self.root / f"{self.package}.{slug(name)}.txt").write_text(done.stdout, encoding="utf-8")
        if due is None or not answer.is_right:
            start = done.stdout.rfind("\noraclekeep: ")
            print(done.stdout[max(start, len(done.stdout) - 6000) :], flush=True)
        return answer


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    known = [table["package"] for table in PROJECTS]
    kit = kit_requirement()[-1]
    parser.add_argument("packages", nargs="*", metavar="PACKAGE", help=f"of {', '.join(known)}")
    parser.add_argument("--kit", default=kit, help="what to adopt: a folder, a wheel, a version")
    parser.add_argument("--keep", type=Path, help="leave the repositories and the gate's output here")
    args = parser.parse_args()
    if unknown := set(args.packages).difference(known):
        parser.error(f"no such package here: {', '.join(sorted(unknown))}; there are {', '.join(known)}")
    with tempfile.TemporaryDirectory() as scratch:
        root = (args.keep or Path(scratch)).absolute()
        root.mkdir(parents=True, exist_ok=True)
        wanted = [table for table in PROJECTS if table["package"] in (args.packages or known)]
        answers = [answer for table in wanted for answer in Adopter(table, root, args.kit).answers()]
    print(f"{sum(answer.is_right for answer in answers)} of {len(answers)} answers are right")
    return 0 if all(answer.is_right for answer in answers) else 1


if __name__ == "__main__":
    sys.exit(main())

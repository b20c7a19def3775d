"""
A bench for pipelines: jobs run one after the other, each in a clone of its own, and hand on what they say.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

SOURCE: Final = Path(__file__).resolve().parent.parent / "src"
#: Nox makes no environments here: a session runs in the tests' own, which has all that the example needs.
NOXW: Final = f"""#!/bin/sh
[ "$1" = -s ] || exit 2
session=$2
shift 3
kit() {{ PYTHONPATH={SOURCE} {sys.executable} -P -m oraclekeep "$@"; }}
case $session in
prepare) kit prepare "$@" ;;
expiry) kit expiry "$@" ;;
verdict) kit prepare "$@" >/dev/null && kit verdict "$@" ;;
gate)
    kit prepare "$@" || exit 2
    for lane in $({sys.executable} -c 'import json; print(*json.load(open(".gate/run.json"))["lanes"])'); do
        [ "$lane" = witness ] || {sys.executable} -ISB .gate/kit/oraclekeep_lanekit "$lane"
    done
    kit verdict "$@" ;;
*) kit prepare "$@" >/dev/null && {sys.executable} -ISB .gate/kit/oraclekeep_lanekit "$session" ;;
esac
"""


@dataclass(frozen=True, kw_only=True)
class Run:
    """
    A step that runs a script; a step that is ``always`` run is so after a red one, too.
    """

    script: str
    env: Mapping[str, str] = field(default_factory=dict)
    always: bool = False
    argv: tuple[str, ...] = ("bash", "-e", "-c")


@dataclass(frozen=True, kw_only=True)
class Keep:
    """
    A step that hands on the files that patterns name, as they lie below a folder.
    """

    artifact: str
    patterns: tuple[str, ...]
    root: str = "."
    always: bool = False


@dataclass(frozen=True, kw_only=True)
class Take:
    """
    A step that takes what was handed on; ``each`` puts every artifact into a folder of its name.
    """

    wanted: Callable[[str], bool]
    into: str = "."
    each: bool = False
    always: bool = False


@dataclass(frozen=True, kw_only=True)
class Job:
    """
    One job.  ``after`` are the jobs that must have been green, unless it is ``always`` run.
    """

    name: str
    steps: tuple[Run | Keep | Take, ...]
    env: Mapping[str, str] = field(default_factory=dict)
    after: tuple[str, ...] = ()
    always: bool = False
    soft: bool = False


@dataclass
class Bench:
    """
    One repository with a patch, and the place where jobs of one system leave what they hand on.
    """

    origin: Path
    folder: Path
    base: str
    head: str
    read_after: Callable[[Bench, str, Path, str], None] = lambda *_: (
        None
    )  # what a system reads of a step's output
    resolve: Callable[[Bench, str, str], str] = lambda _bench, _job, text: text  # its expressions
    outputs: dict[str, str] = field(default_factory=dict)
    red: set[str] = field(default_factory=set)
    skipped: set[str] = field(default_factory=set)
    lost: tuple[str, ...] = ()  # lanes whose files never arrive
    cancelled: str = ""  # a lane whose job somebody stops before it has done anything
    event: str = "pull_request"  # or `merge_group`: an entry of a queue, on what stands before it
    variables: dict[str, str] = field(default_factory=dict)  # what a system sets beside the usual
    log: list[str] = field(default_factory=list)

    def run(self, jobs: Iterable[Job]) -> int:
        """
        Run the jobs; return 0 only where the last one was run, and was green.
        """
        last = ""
        for job in jobs:
            last = job.name
            stopped = self.cancelled and job.name.endswith(self.cancelled)
            if stopped or (not job.always and (self.red | self.skipped) & set(job.after)):
                self.skipped.add(job.name)
            elif not self._job(job) and not job.soft:
                self.red.add(job.name)
        return int(last in self.red | self.skipped)

    def _job(self, job: Job) -> bool:
        place = self.folder / "work" / job.name.replace("/", "-")
        if place.exists():  # the job is run again
            shutil.rmtree(place)
        git = ("git", "-c", "advice.detachedHead=false")
        subprocess.run((*git, "clone", "--quiet", self.origin.as_uri(), str(place)), check=True)
        subprocess.run((*git, "checkout", "--quiet", self.head), cwd=place, check=True)
        green = True
        for step in job.steps:
            if not green and not step.always:
                continue
            if isinstance(step, Run):
                green = self._script(job, step, place) and green
            elif isinstance(step, Keep):
                self._keep(job.name, step, place)
            else:
                self._take(step, place)
        return green

    def _script(self, job: Job, step: Run, place: Path) -> bool:
        env = {key: os.environ[key] for key in ("PATH", "TMPDIR") if key in os.environ}
        # A script may write Git's global settings; were they a device, Git would put a file in its place.
        env |= {"HOME": str(self.folder), "GIT_CONFIG_GLOBAL": str(self.folder / "gitconfig")}
        env["GIT_CONFIG_NOSYSTEM"] = "1"
        env["PATH"] = f"{self.folder / 'bin'}{os.pathsep}{env['PATH']}"
        env["LC_ALL"] = "C.UTF-8"
        for name, value in (*job.env.items(), *self.variables.items(), *step.env.items()):
            env[name] = self.resolve(self, job.name, value)
        done = subprocess.run(
            (*step.argv, self.resolve(self, job.name, step.script)),
            cwd=place, env=env, check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        )  # fmt: skip
        self.log.append(f"--- {job.name}: {done.returncode}\n{step.script}\n{done.stdout}")
        self.read_after(self, job.name, place, done.stdout)
        return done.returncode == 0

    def _keep(self, job: str, step: Keep, place: Path) -> None:
        store = self.folder / "store" / self.resolve(self, job, step.artifact)
        for pattern in step.patterns:
            for path in place.glob(self.resolve(self, job, pattern)):
                if path.stem.partition("@")[0] in self.lost:
                    continue
                target = store / path.relative_to(place / step.root)
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(path, target)

    def _take(self, step: Take, place: Path) -> None:
        for store in sorted((self.folder / "store").glob("*")):
            if step.wanted(store.name):
                into = place / step.into / (store.name if step.each else "")
                shutil.copytree(store, into, dirs_exist_ok=True)

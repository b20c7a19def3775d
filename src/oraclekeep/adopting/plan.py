"""
The files that adopt the gate in one project, compared with what is there.  Nothing is written here.
"""

from __future__ import annotations

import difflib
import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from oraclekeep.adopting import sessions
from oraclekeep.adopting.kitfiles import kit_file
from oraclekeep.codeowners import PLACES, owners_file

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from oraclekeep.adopting.facts import Project
    from oraclekeep.adopting.systems import System
    from oraclekeep.model import Snapshot

_OWNED: Final = ("/oracle/", "/invariants/", "/noxfile.py", "/noxw", "/tasks.py", "/ci/")
_IGNORED: Final = ("/.gate/", "/.nox/", "/.noxw/")
_DEMO: Final = "demo/project/"
_PROPERTIES: Final = """\
Tests of what must always hold, which no agent may change: pytest files (`test_*.py`), hypothesis welcome.
A good first one: what comes back from a round trip, what never grows, what two ways of computing agree on.
"""
_INVENTORY: Final = """\
# One property: one function, one seed, one frozen fixture, named checks.
version: 1
properties: []
freezes:
"""
_SETTINGS: Final = """\
# How the gate treats this repository.
mode: {mode}  # observe: say what would be rejected, and exit 0
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wishes:
    """
    What the command line asks for.
    """

    systems: tuple[System, ...] = ()
    kit: str = ""
    mode: str = "enforce"
    owners: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class File:
    """
    One file to write.  What an owner fills in is theirs afterwards; the rest may change with the kit.
    """

    path: str
    text: str
    why: str
    executable: bool = False
    is_owners: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Added:
    """
    Lines at the end of a file; ``text`` is the whole file with them.
    """

    path: str
    lines: tuple[str, ...]
    text: str
    is_new: bool
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """
    What `init` would do: new files, lines to add, files that differ, and what is left to a person.
    """

    new: tuple[File, ...] = ()
    added: tuple[Added, ...] = ()
    differing: tuple[tuple[File, str], ...] = ()  # (what the kit would write, what is there)
    by_hand: tuple[str, ...] = ()

    @property
    def paths(self) -> tuple[str, ...]:
        return (*(file.path for file in self.new), *(each.path for each in self.added))

    def diff(self) -> str:
        """
        Return the plan as a patch that `git apply` takes.
        """
        parts = [_diff(file.path, there, file.text) for file, there in self.differing]
        parts += [_diff(file.path, None, file.text, executable=file.executable) for file in self.new]
        parts += [
            _diff(each.path, None if each.is_new else each.text[: -len(_joined(each))], each.text)
            for each in self.added
        ]
        return "".join(parts)


def plan_of(tree: Snapshot, project: Project, wishes: Wishes) -> Plan:
    """
    Compare what adopts the gate with a tree.

    Raises `UsageError` where a noxfile is there that can't be read.
    """
    wanted, by_hand = _sessions(tree, project, wishes)
    wanted += [
        File(path="noxw", text=kit_file("noxw"), why="gets Nox where there is none", executable=True),
        *_policy(project, wishes),
    ]
    tasks = File(path="tasks.py", text=kit_file(f"{_DEMO}tasks.py"), why="the gate's tasks for Invoke")
    there = _text(tree, tasks.path)
    if there is None or "oraclekeep" in there:
        wanted.append(tasks)
    else:
        by_hand.append("tasks.py is yours and stays; `oraclekeep TASK` does what `invoke TASK` would")
    for system in wishes.systems:
        files, hint = _pipeline(tree, system)
        wanted += files
        by_hand += [hint] if hint else []
    by_hand += _unusual(project)
    owners, hint = _owners(tree, wishes)
    by_hand += [hint] if hint else []
    new, differing = [], []
    for file in wanted:
        there = _text(tree, file.path)
        if there is None:
            new.append(file)
        elif not file.is_owners and there.replace("\r\n", "\n") != file.text:
            differing.append((file, there))
    ignored = _lines(tree, ".gitignore", _IGNORED, "what a run leaves")
    return Plan(
        new=tuple(new),
        added=tuple(each for each in (ignored, owners) if each is not None),
        differing=tuple(differing),
        by_hand=tuple(by_hand),
    )


def _text(tree: Snapshot, path: str) -> str | None:
    data = tree.read(path)
    return None if data is None else data.decode("utf-8-sig", "replace")


def _sessions(tree: Snapshot, project: Project, wishes: Wishes) -> tuple[list[File], list[str]]:
    """
    Return the gate's sessions: as the noxfile, or beside the one that is there.
    """
    there = _text(tree, "noxfile.py")
    known = sessions.existing("noxfile.py", there) if there is not None else None
    before = _text(tree, sessions.MODULE) if known and not known.is_ours else there
    kit = wishes.kit or sessions.kit_kept(before or "")
    ours = sessions.noxfile_of(project, kit)
    is_apart = known is not None and not known.is_ours
    path = sessions.MODULE if is_apart else "noxfile.py"
    by_hand = []
    if sessions.is_elsewhere(kit):
        by_hand.append(
            f"no other machine has {kit}: for CI, let KIT in {path} name a version, a URL, or a wheel that "
            "the repository holds"
        )
    if known is None or known.is_ours:
        return [File(path=path, text=ours, why="the gate's sessions")], by_hand
    files = [File(path=path, text=sessions.module_of(ours), why="the gate's sessions")]
    if not known.is_joined:
        by_hand.append("add to the end of noxfile.py:\n\n" + sessions.lines_to_add())
    for name in sessions.clashes(known, ours):
        line = known.sessions[name]
        by_hand.append(f"rename session {name} (noxfile.py:{line}): the gate has a session of that name")
    foreign = [name for name in known.imports if tree.read(f"{name}.py") is None and not tree.under(name)]
    if foreign:
        names = ", ".join(sorted(foreign))
        by_hand.append(
            f"noxfile.py imports {names}, which the environment of ./noxw lacks; run `nox -s gate` from one "
            "that has it, or import it inside of the session"
        )
    return files, by_hand


def _policy(project: Project, wishes: Wishes) -> Iterator[File]:
    lines = [_SETTINGS.format(mode=wishes.mode)]
    lines.append(f"source: [{', '.join(map(_scalar, project.source))}]\n")
    roots = tuple(package.folder for package in project.packages if package.has_tests)
    if roots and len(project.packages) > 1:  # each in its own folder: they have modules of the same name
        lines.append(f"packages: [{', '.join(map(_scalar, roots))}]\n")
    for key in ("tests", "fixtures", "plugins"):
        value: tuple[str, ...] = getattr(project, key)
        if value and not (key == "fixtures" and value == ("tests/fixtures",)):
            lines.append(f"{key}: [{', '.join(map(_scalar, value))}]\n")
    yield File(path="oracle/gate.yaml", text="".join(lines), why="how the gate works here", is_owners=True)
    for path, why in (
        ("oracle/weights.json", "what a loss costs"),
        ("oracle/intent.json", "what a human allows"),
        ("oracle/quarantine.json", "tests that do not vote for a while"),
        ("oracle/known_fail/README.md", "faults that prove properties alive"),
        ("invariants/proposed/README.md", "candidates, without a vote"),
    ):
        yield File(path=path, text=kit_file(_DEMO + path), why=why, is_owners=True)
    for path, text, why in (
        ("oracle/properties/README.md", _PROPERTIES, "tests that no agent may change"),
        ("invariants/inventory.yaml", _INVENTORY, "seed-pinned properties"),
    ):
        yield File(path=path, text=text, why=why, is_owners=True)


def _scalar(word: str) -> str:
    return word if re.fullmatch(r"[A-Za-z_][\w./-]*", word) else json.dumps(word)


def _pipeline(tree: Snapshot, system: System) -> tuple[list[File], str]:
    text, why = kit_file(system.template), f"the gate on {system.name}"
    if system.entry and _text(tree, system.entry) in (None, text):
        return [File(path=system.entry, text=text, why=why)], ""
    files = [File(path=system.target, text=text, why=why)]
    if system.name == "gitlab":
        entry = _text(tree, ".gitlab-ci.yml")
        if entry is None:
            include = File(
                path=".gitlab-ci.yml",
                text=f"include: {system.target}\n",
                why="includes it",
                is_owners=True,
            )
            return [*files, include], ""
        if system.target in entry:
            return files, ""
    return files, system.join


def _unusual(project: Project) -> list[str]:
    found = []
    if project.discovered:
        found.append(
            "setuptools looks for packages by itself here, would now find oracle and invariants, and refuses "
            f"to build: name yours in pyproject.toml (or in the call of setup()):\n\n{_packages(project)}"
        )
    if project.uncollected:
        names = ", ".join(project.uncollected[:3])
        found.append(
            f"pytest, which runs the lanes, does not collect {names}"
            f"{' and others' if len(project.uncollected) > 3 else ''}: set its `python_files`"
        )
    if not project.recipe.where:
        found.append("nothing says what the tests need: add it to TESTS in noxfile.py; pytest alone is there")
    return found


def _packages(project: Project) -> str:
    names = sorted({path.partition("/")[0].removesuffix(".py") for path in project.source})
    if project.shape == "modules":
        return f"    [tool.setuptools]\n    py-modules = {json.dumps(names)}\n"
    return (
        f"    [tool.setuptools.packages.find]\n    include = {json.dumps([f'{name}*' for name in names])}\n"
    )


# --------------------------------------------------------------------------------- lines in files of the user


def _owners(tree: Snapshot, wishes: Wishes) -> tuple[Added | None, str]:
    """
    Return the CODEOWNERS lines; whom they name is for a person to say, unless one owns everything already.
    """
    names = [system.name for system in wishes.systems]
    usual = {"github": PLACES[0], "gitlab": ".gitlab/CODEOWNERS"}
    path = owners_file(tree) or next((usual[name] for name in usual if name in names), "CODEOWNERS")
    there = _text(tree, path) or ""
    everything = re.findall(r"^\*\s+(\S.*?)\s*(?:#.*)?$", there, re.MULTILINE)
    who = " ".join(wishes.owners) or (everything[-1] if everything else "")
    places = [*_OWNED, f"/{path}"]
    places += [f"/{system.entry or system.target}" for system in wishes.systems]
    places = [place for place in dict.fromkeys(places) if not place.startswith("/ci/") or place == "/ci/"]
    held = {line.split()[0] for line in there.splitlines() if line.strip() and not line.startswith("#")}
    missing = [place for place in places if place not in held]
    if not missing:
        return None, ""
    if not who:
        lines = "".join(f"    {place} @WHO\n" for place in missing)
        return None, f"add to {path} who owns the gate (or give `--owner @WHO`):\n\n{lines}"
    return _lines(tree, path, [f"{place} {who}" for place in missing], "who owns the gate"), ""


def _lines(tree: Snapshot, path: str, lines: Sequence[str], why: str) -> Added | None:
    """
    Return the lines that a file lacks, with the line ends that it has.
    """
    data = tree.read(path)
    there = (data or b"").decode("utf-8", "surrogateescape")
    known = {line.strip() for line in there.splitlines()}
    known |= {line.strip("/") for line in known} if path == ".gitignore" else set()
    missing = tuple(line for line in lines if line not in known and line.strip("/") not in known)
    if not missing:
        return None
    newline = "\r\n" if "\r\n" in there else "\n"
    gap = "" if not there or there.endswith("\n") else newline
    text = there + gap + "".join(f"{line}{newline}" for line in missing)
    return Added(path=path, lines=missing, text=text, is_new=data is None, why=why)


def _joined(added: Added) -> str:
    """
    Return the end of a file that its added lines make up.
    """
    newline = "\r\n" if "\r\n" in added.text else "\n"
    return "".join(f"{line}{newline}" for line in added.lines)


def _diff(path: str, old: str | None, new: str, *, executable: bool = False) -> str:
    lines = difflib.unified_diff(
        (old or "").splitlines(keepends=True),
        new.splitlines(keepends=True),
        "/dev/null" if old is None else f"a/{path}",
        f"b/{path}",
    )
    mode = f"new file mode 100{'755' if executable else '644'}\n" if old is None else ""
    body = "".join(
        line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines
    )
    return f"diff --git a/{path} b/{path}\n{mode}{body}"

"""
The gate's Nox sessions for one project, and how they go with a noxfile that is there already.
"""

from __future__ import annotations

import ast
import json
import re
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

import oraclekeep
from oraclekeep.adopting.kitfiles import NOXFILE, kit_file
from oraclekeep.adopting.noxfiles import sessions_of
from oraclekeep.errors import UsageError
from oraclekeep.patterns import SESSIONS

if TYPE_CHECKING:
    from oraclekeep.adopting.facts import Package, Project

MODULE: Final = SESSIONS  # humans own `ci/`
_IMPORTED: Final = MODULE.rpartition("/")[2].removesuffix(".py")
_ADDED: Final = f"""\
# The gate's sessions: nox -s gate
import sys

sys.path.insert(0, "ci")  # Nox starts in this folder

import {_IMPORTED}  # noqa: E402, F401  # its sessions register themselves
"""
_WIDTH: Final = 100
#: What Nox's own environment holds, beside the standard library.
_AT_HAND: Final = frozenset({"nox", "packaging", "argcomplete", "colorlog", "virtualenv"})


@dataclass(frozen=True, slots=True)
class Existing:
    """
    A noxfile that is there already: its sessions with their lines, and what it imports.
    """

    sessions: dict[str, int]
    imports: frozenset[str]
    is_ours: bool  # it is the gate's own, as `init` writes it
    is_joined: bool  # it imports the gate's sessions


def kit_words(source: str) -> tuple[str, ...]:
    """
    Return what installs the kit: a version, a folder, a wheel or a URL, as `--kit` names it.
    """
    if not source and oraclekeep.__version__.startswith("0+"):
        raise UsageError(
            "this copy of the kit has no version; say with --kit where the lanes install it from"
        )
    if not source:
        return (f"oraclekeep=={oraclekeep.__version__}",)
    if re.fullmatch(r"\d[\w.!+]*", source):
        return (f"oraclekeep=={source}",)
    if re.match(r"[a-z+]+://", source):
        return (f"oraclekeep @ {source}",)
    if source.endswith((".whl", ".tar.gz", ".zip")) or source.startswith("oraclekeep"):
        return (source,)
    return ("-e", source)


def is_elsewhere(kit: str) -> bool:
    """
    Tell whether the kit lies outside of the repository, where no other machine finds it.
    """
    path = kit_words(kit)[-1]
    return "://" not in path and "==" not in path and (Path(path).is_absolute() or path.startswith(".."))


def kit_kept(noxfile: str) -> str:
    """
    Return where a noxfile takes the kit from, if that is no version: a newer kit changes versions only.
    """
    found = re.search(r"^KIT = (\([^)]*\))", noxfile, re.MULTILINE)
    try:
        words = ast.literal_eval(found[1]) if found else ()
    except (SyntaxError, ValueError):
        return ""
    if not isinstance(words, tuple) or not words or "==" in str(words[0]):
        return ""
    return str(words[-1]).removeprefix("oraclekeep @ ")


def noxfile_of(project: Project, kit: str) -> str:
    """
    Return the noxfile of an adopting project.
    """
    how, text = project.recipe.how, kit_file(NOXFILE)
    files = [*zip(how.words, how.words[1:], strict=False)]
    files = [(option, path) for option, path in files if option in ("-r", "-c")]
    named = {word for pair in files for word in pair}
    tests = [_quoted(word) for word in how.words if word not in named]
    lines = [f"TESTS = {_tuple(tests)}\n"] if tests else []
    lines.append(f"KIT = {_tuple([_quoted(word) for word in kit_words(kit)])}\n")
    text = _replaced(text, r"KIT = .*\n", "".join(lines))
    if how.groups:
        groups = ", ".join(map(_quoted, how.groups))
        text = _replaced(
            text, r'dependency_groups\(pyproject, "test"\)', f"dependency_groups(pyproject, {groups})"
        )
    else:
        text = _replaced(text, r"def test_group\((?:.|\n)*?\n\n\n", "")

    def install(match: re.Match[str]) -> str:
        lane = match[1]
        words = [f'"-e", {_quoted(_place(lane, package))}' for package in project.packages]
        words += [f'"{option}", {_quoted(f".gate/trees/{lane}/{path}")}' for option, path in files]
        words += [f'*test_group("{lane}")'] if how.groups else []
        words += ["*TESTS"] if tests else []
        return f"session.install({', '.join(words)})"

    return re.sub(r'session\.install\("-e", "\.gate/trees/(\w+)", \*test_group\("\w+"\)\)', install, text)


def _place(lane: str, package: Package) -> str:
    extras = f"[{','.join(package.extras)}]" if package.extras else ""
    return f".gate/trees/{lane}" + (f"/{package.folder}" if package.folder else "") + extras


def _replaced(text: str, pattern: str, new: str) -> str:
    found, count = re.subn(pattern, lambda _: new, text, count=1)
    if count != 1:
        raise ValueError(f"the noxfile of the demo holds no {pattern!r}")
    return found


def _quoted(word: str) -> str:
    return json.dumps(word, ensure_ascii=False)


def _tuple(parts: list[str]) -> str:
    flat = f"({', '.join(parts)}{',' if len(parts) == 1 else ''})"
    if len(flat) <= _WIDTH:
        return flat
    return "(\n" + "".join(f"    {part},\n" for part in parts) + ")"


def module_of(noxfile: str) -> str:
    """
    Return the same sessions as a module that another noxfile imports; plain `nox` runs what it ran before.
    """
    body = noxfile[noxfile.index("from __future__") :]
    body = re.sub(r"nox\.(?:needs_version|options\.\w+) = .*\n", "", body)
    body = re.sub(r"import nox\n\n+", "import nox\n\n", body)
    body = re.sub(r"^@nox\.session$", "@nox.session()", body, flags=re.MULTILINE)
    body = re.sub(r"^@nox\.session\((.*)\)$", _not_by_default, body, flags=re.MULTILINE)
    return f'"""\nThe gate\'s sessions, which noxfile.py imports.\n"""\n\n{body}'


def _not_by_default(match: re.Match[str]) -> str:
    return f"@nox.session({', '.join(filter(None, ('default=False', match[1])))})"


def lines_to_add() -> str:
    return _ADDED


def existing(path: str, source: str) -> Existing:
    """
    Read a noxfile without running it.

    Raises `UsageError` with its line where it does not parse.
    """
    try:
        module = ast.parse(source)
    except (SyntaxError, ValueError) as error:
        line = getattr(error, "lineno", None) or 1
        raise UsageError(f"{path}:{line}: this noxfile does not parse; mend it first") from error
    sessions = {session.name: session.line for session in sessions_of(module)}
    names = {
        name.split(".")[0]
        for node in ast.walk(module)
        for name in (
            [alias.name for alias in node.names]
            if isinstance(node, ast.Import)
            else [node.module or ""]
            if isinstance(node, ast.ImportFrom) and not node.level
            else []
        )
    }
    return Existing(
        sessions,
        frozenset(names - {*sys.stdlib_module_names, *_AT_HAND, _IMPORTED, ""}),
        is_ours={"gate", "prepare", "verdict"} <= set(sessions),
        is_joined=_IMPORTED in names,
    )


def clashes(noxfile: Existing, ours: str) -> tuple[str, ...]:
    """
    Return the names that sessions of both have; Nox would let the later one win.
    """
    return tuple(each.name for each in sessions_of(ast.parse(ours)) if each.name in noxfile.sessions)

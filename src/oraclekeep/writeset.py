"""
May an agent write these paths?  Asked before a write, by a tool's hook, and before a commit (SPEC §1).
"""

from __future__ import annotations

import json
import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from oraclekeep.errors import UsageError
from oraclekeep.git import TreeSnapshot
from oraclekeep.model import Policy
from oraclekeep.paths import Layout, is_below
from oraclekeep.policy import read_policy

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from oraclekeep.git import Repo
    from oraclekeep.model import Snapshot

SCHEMA: Final = "oraclekeep/writeset/1"
#: Under which keys the tools of coding agents name what they write.
_KEYS: Final = frozenset(
    {
        *("file_path", "filepath", "path", "paths", "file", "files", "filename", "target_file"),
        *("notebook_path", "absolute_path", "relative_path", "destination", "new_path", "old_path"),
    }
)
#: Under which keys they name the tool, and tools that only read; one that nobody knows may write.
_TOOLS: Final = frozenset({"tool_name", "tool"})
_ENVELOPE: Final = "preToolUse"  # Cline names the tool in there
_READERS: Final = frozenset(
    {
        *("read", "read_file", "read_many_files", "view", "open", "cat", "ls", "list", "list_directory"),
        *("glob", "grep", "grep_search", "search", "search_file_content", "file_search", "codebase_search"),
        *("list_files", "search_files", "list_code_definition_names"),
    }
)
#: What holds the JSON of arguments as text.
_NESTED: Final = frozenset({"toolargs", "arguments", "args", "input"})
_PATCHED: Final = re.compile(r"^\*\*\* (?:(?:Add|Update|Delete) File|Move to): (.+)$", re.MULTILINE)
_OUTPUTS: Final = (".gate", ".nox", ".noxw")
_INSTEAD: Final = (
    "Leave it as it is and go on without. Where it stands in the way of the task, say in your answer which "
    "change it needs and why: an owner decides, in a patch of its own. A property that you would add goes to "
    "invariants/proposed/."
)


@dataclass(frozen=True, slots=True)
class Refused:
    """
    One path that is not an agent's to write, and why.
    """

    path: str
    why: str


@dataclass(frozen=True, slots=True)
class Sorted:
    """
    Paths by who may change them: neutral ones, and those outside of the repository, are in neither.
    """

    refused: tuple[Refused, ...] = ()
    agent: tuple[str, ...] = ()


def sort_paths(repo: Repo, paths: Iterable[str], here: Path) -> Sorted:
    """
    Sort paths by the policy of the last commit, which judges what comes after it.

    A path counts under the name that was given and under the one that its links lead to.
    """
    with repo.blobs() as blobs:
        tree = None if repo.is_unborn() else TreeSnapshot(repo, blobs, repo.resolve("HEAD"))
        policy = read_policy(tree) if tree else Policy()
        layout = Layout.of(tree, policy) if tree else Layout()
        refused, agent = [], []
        for path in dict.fromkeys(paths):
            names = _names(repo.root, path, here)
            found = next(
                (Refused(name, why) for name in names if (why := _why(tree, policy, layout, name))), None
            )
            if found:
                refused.append(found)
            elif names and not all(layout.is_neutral(each) or _is_announced(policy, each) for each in names):
                agent.append(names[0])
        return Sorted(tuple(refused), tuple(agent))


def _names(root: Path, path: str, here: Path) -> tuple[str, ...]:
    """
    Return a path's names from the repository's root; none for one outside of it.
    """
    given = Path(os.path.normpath(here / path))
    real = root.resolve()
    found = [
        name.relative_to(top).as_posix()
        for name in (given, given.resolve())
        for top in (root, real)
        if name.is_relative_to(top)
    ]
    return tuple(dict.fromkeys(name for name in found if name != "."))


def _why(tree: Snapshot | None, policy: Policy, layout: Layout, path: str) -> str:
    if path.partition("/")[0].lower() in _OUTPUTS:
        return "the gate keeps its own files there, and takes none from a patch"
    if layout.is_human_owned(path):
        return "it is human-owned: a patch that changes it together with code is rejected (row write-set)"
    if not policy.adopted or not layout.is_frozen(path):
        return ""
    locked = any(is_below(path, folder) for folder in policy.tree_locks) or path in policy.file_locks
    if not locked or _is_announced(policy, path):
        return ""
    if policy.settings.additions == "allow" and tree is not None and tree.entry(path) is None:
        return ""
    return "it is frozen: its bytes are locked, and a change of them is rejected (row fixture-drift)"


def _is_announced(policy: Policy, path: str) -> bool:
    """
    Tell whether an owner has announced other bytes than the locked ones for what holds this path.
    """
    for note in policy.intent.fixture_changes:
        if note.tree and is_below(path, note.tree) and note.digest != policy.tree_locks.get(note.tree):
            return True
        lock = policy.file_locks.get(path)
        if note.path == path and (lock is None or note.digest != lock.sha256):
            return True
    return False


def staged_paths(repo: Repo) -> tuple[str, ...]:
    """
    Return what the next commit would change, both names of a rename.
    """
    against = () if repo.is_unborn() else ("HEAD",)
    out = repo.git("diff-index" if against else "ls-files", *_staged_options(against), *against)
    return tuple(os.fsdecode(path) for path in out.split(b"\0") if path)


def _staged_options(against: tuple[str, ...]) -> tuple[str, ...]:
    return ("--cached", "--name-only", "--no-renames", "-z") if against else ("-z",)


def is_adopted_here(repo: Repo) -> bool:
    """
    Tell whether the last commit has the gate: the patch that brings it is a mixed one by nature.
    """
    if repo.is_unborn():
        return False
    return bool(repo.ls(repo.resolve("HEAD"), "oracle"))


def named_in_hook(text: str) -> tuple[str, ...]:
    """
    Return the paths that a tool is about to write, from the JSON that its hook is handed.

    Raises `UsageError` for what is no JSON: nobody can tell what it would write.
    """
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UsageError(
            f"--hook reads a tool's call as JSON from standard input, and this is none: {error}"
        ) from error
    return () if _only_reads(document) else tuple(dict.fromkeys(_found(document, "")))


def _only_reads(document: Any) -> bool:
    """
    Tell whether the call is of a tool that writes nothing: some agents ask about every one.
    """
    call = document if isinstance(document, dict) else {}
    inner = call.get(_ENVELOPE)
    call = inner if isinstance(inner, dict) else call
    names = {str(value).lower() for key, value in call.items() if _snake(key) in _TOOLS}
    return bool(names) and names <= _READERS


def _snake(key: object) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", str(key)).lower()


def _found(value: Any, key: str) -> Iterator[str]:
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from _found(inner, _snake(name))
    elif isinstance(value, list):
        for each in value:
            yield from _found(each, key)
    elif isinstance(value, str):
        if key in _KEYS and "\n" not in value:
            yield value.removeprefix("file://")
        yield from (path.strip() for path in _PATCHED.findall(value))
        if key.replace("_", "") in _NESTED and value.lstrip().startswith("{"):
            try:
                yield from _found(json.loads(value), "")
            except ValueError as error:
                raise UsageError(f"--hook: the arguments of the call are no JSON: {error}") from error


def as_text(found: Sorted, *, staged: bool) -> str:
    """
    Say what is refused in words that an agent can act on; nothing where all may be written.
    """
    if not found.refused:
        return ""
    lines = [f"{one.path}: {one.why}" for one in found.refused]
    if staged:
        owned = " ".join(one.path for one in found.refused[:3])
        lines.append(f"together with {', '.join(found.agent[:3])} it would make a mixed commit; split it:")
        lines.append(f"git restore --staged -- {owned}")
    else:
        lines.append(_INSTEAD)
    return "".join(f"oraclekeep: {line}\n" for line in lines)


def as_json(found: Sorted) -> dict[str, Any]:
    """
    Return the answer as `oraclekeep/writeset/1`.
    """
    return {
        "schema": SCHEMA,
        "allowed": not found.refused,
        "refused": [{"path": one.path, "why": one.why} for one in found.refused],
        "agent": list(found.agent),
    }

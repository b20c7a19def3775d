"""
Asks the owner's `proposer` for candidates: it reads the production diff, never a test, and prints YAML.
"""

from __future__ import annotations

import os
import shlex
from typing import TYPE_CHECKING, Final

from oraclekeep.effects import run_at_most, scratch_folder
from oraclekeep.errors import ConfigError
from oraclekeep.policy.documents import read_document
from oraclekeep.policy.files import SETTINGS
from oraclekeep.proposing.queue import read
from oraclekeep.proposing.scratch import lay_out
from oraclekeep.reports.wording import one_line
from oraclekeep.rules.production import production_deltas

if TYPE_CHECKING:
    from oraclekeep.git import Repo
    from oraclekeep.model import Property
    from oraclekeep.rules import Patch

_MOST: Final = 1024 * 1024  # bytes of an answer
_LOOKED_AT: Final = 8000  # bytes in which a NUL tells that a file is no text


def ask(repo: Repo, patch: Patch, span: tuple[str, str], seconds: float) -> tuple[Property, ...]:
    """
    Run the command that base's `gate.yaml` names and return what it proposes.

    It starts in a copy of base without tests and their data, so that a script which it names is base's.
    Raises `ConfigError` that names the command for a crash, a timeout, or an answer that is not in form.
    """
    command = patch.policy.settings.proposer
    diff = production_diff(repo, patch, span)
    if not command or not diff:
        return ()
    shown, where = f"`{shlex.join(command)}`", f"{SETTINGS}:{_line(patch)}"
    env = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    with scratch_folder() as folder:
        lay_out(patch.tip, folder, lambda path: not _is_test(patch, path))
        try:
            ran = run_at_most(command, cwd=folder, stdin=diff, seconds=seconds, size=_MOST, env=env)
        except OSError as error:
            raise ConfigError(
                f"{where}: the proposer {shown} can't be started: {error.strerror}; nothing was written"
            ) from error
    if ran.stopped or ran.code:
        how = ran.stopped or f"it ended with exit {ran.code}"
        last = one_line(ran.err.decode("utf-8", "replace").strip().rpartition("\n")[2])
        said = f": {last}" if last else ""
        raise ConfigError(f"{where}: the proposer {shown} failed: {how}{said}; nothing was written")
    try:
        return read(shown, ran.out).properties
    except ConfigError as error:
        raise ConfigError(
            f"{error}\nthat is what the proposer of {where} printed; nothing was written"
        ) from error


def production_diff(repo: Repo, patch: Patch, span: tuple[str, str]) -> bytes:
    """
    Return the patch's change of production code as a unified diff; files that are no text are left out.
    """
    paths = [
        delta.path
        for delta in production_deltas(patch)
        if not any(b"\0" in (side.read(delta.path) or b"")[:_LOOKED_AT] for side in (patch.base, patch.head))
    ]
    if not paths:
        return b""
    options = ("-p", "--text", "--no-ext-diff", "--no-textconv", "--no-color", "--no-renames", "-U5")
    return repo.git("diff-tree", *options, *span, "--", *paths, env={"GIT_LITERAL_PATHSPECS": "1"})


def _line(patch: Patch) -> int:
    return read_document(SETTINGS, patch.tip.read(SETTINGS) or b"").line("proposer")


def _is_test(patch: Patch, path: str) -> bool:
    layout = patch.layout
    return (
        layout.is_suite(path)
        or layout.is_stray_test(path)
        or layout.is_test_data(path)
        or layout.is_frozen(path)
        or path.startswith("oracle/properties/")
    )

"""
What a shell may complete after a task's name; Invoke itself completes tasks and options.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

#: The option by which the completion scripts ask.
_ASKED: Final = "--complete"
_WANTED: Final = "--print-completion-script"
#: Unlike Invoke's own, it tells a word that is not begun from one that is.
_BASH: Final = """\
_complete_oraclekeep() {
    local words=("${COMP_WORDS[@]:0:COMP_CWORD+1}")
    mapfile -t COMPREPLY < <(compgen -W "$(oraclekeep --complete -- "${words[@]}")" -- "$2")
}
complete -o default -F _complete_oraclekeep oraclekeep
"""


def answer(words: Sequence[str], tasks: Collection[str]) -> str | None:
    """
    Return what a shell is told; None where Invoke's own answer is right.
    """
    if list(words) in ([_WANTED, "bash"], [f"{_WANTED}=bash"]):
        return _BASH
    if _ASKED not in words:
        return None
    typed = [word for word in words[words.index(_ASKED) + 1 :] if word != "--"][
        1:
    ]  # the program's name is first
    found = _candidates(typed, tasks)
    return None if found is None else "".join(f"{word}\n" for word in found)


def _candidates(typed: Sequence[str], tasks: Collection[str]) -> list[str] | None:
    """
    Return the words that may follow a task.

    One command line runs one task here, so no task's name follows another; where nothing is returned, shells
    complete the names of files.
    """
    if len(typed) < 2 or typed[0] not in tasks or typed[-1].startswith("-"):
        return None
    if typed[0] != "explain":
        return []
    from oraclekeep.rows import ROWS  # noqa: PLC0415  # start-up counts

    return list(ROWS)

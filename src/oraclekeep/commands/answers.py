"""
A score as the command line gives it: shown in one of the formats, once or again and again.
"""

from __future__ import annotations

import contextlib
import datetime as dt
import gc
import json
import signal
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Self

from oraclekeep.errors import Exit as Code
from oraclekeep.errors import GateError

if TYPE_CHECKING:
    from collections.abc import Callable

    from oraclekeep.pipeline import Score

OBSERVED: Final = "observed only (`mode: observe` at base): the exit code is 0"


@dataclass(frozen=True, slots=True)
class Answer:
    """
    One score as its document, with the exit code that it calls for.
    """

    document: dict[str, Any]
    is_observed: bool = False  # it rejects, and base's policy only watches

    @property
    def code(self) -> int:
        rejects = self.document["decision"] != "allow"
        return Code.REJECT if rejects and not self.is_observed else Code.ALLOW

    @property
    def substance(self) -> dict[str, Any]:
        """
        What the answer says, apart from which working copy it says it of.
        """
        return {key: value for key, value in self.document.items() if key != "head"}

    def shown(self, form: str, *, lines: bool = True) -> str:
        """
        Return the text; JSON is one line where there are several answers.
        """
        from oraclekeep.reports import scoring

        if form == "json":
            text = json.dumps(self.document, indent=2 if lines else None, ensure_ascii=True)
        else:
            text = scoring.github(self.document) if form == "github" else scoring.plain(self.document)
        return text.encode("utf-8", "backslashreplace").decode()


def answered(score: Score, output: str) -> Answer:
    """
    Turn a score into an answer, and write its JSON where that is wanted.
    """
    from oraclekeep.effects import write_atomic
    from oraclekeep.reports import scoring

    doc = scoring.document(score)
    if output:
        write_atomic(Path(output), json.dumps(doc, indent=2, ensure_ascii=True) + "\n")
    return Answer(doc, doc["decision"] != "allow" and score.policy.settings.mode == "observe")


class _Stop:
    """
    Ctrl-C as a fact: raised inside of a finalizer, say, the exception alone would be lost.
    """

    def __init__(self) -> None:
        self.asked = False

    def __call__(self, *_: object) -> None:
        self.asked = True
        raise KeyboardInterrupt

    def __enter__(self) -> Self:
        self._before = signal.signal(signal.SIGINT, self)
        return self

    def __exit__(self, *_: object) -> None:
        signal.signal(signal.SIGINT, self._before)


def watched(answer: Callable[[], Answer], form: str) -> int:
    """
    Give an answer now and after every change, until Ctrl-C; return the last one's exit code.

    What can't be judged for the moment, a policy file in the middle of an edit, is said and waited out.
    """
    from oraclekeep.git import Repo
    from oraclekeep.watching import changes

    last: Answer | None = None
    code: int | None = None
    with _Stop() as stop, contextlib.suppress(KeyboardInterrupt):
        for _ in changes(Repo.at(Path.cwd())):
            try:
                found = answer()
            except GateError as error:
                if stop.asked:  # Git was interrupted as well
                    break
                last, code = None, error.exit
                print(f"oraclekeep: {error}", file=sys.stderr, flush=True)
            else:
                shown = found.shown(form, lines=False) if code is None else _news(found, last, form)
                last, code = found, found.code
                print(shown, flush=True)
                if found.is_observed:
                    print(OBSERVED, file=sys.stderr, flush=True)
            gc.collect()  # it is off while a score is made, and this process lives on
            if stop.asked:
                break
    if code is None:
        raise KeyboardInterrupt
    return code


def _news(found: Answer, last: Answer | None, form: str) -> str:
    """
    Return what is new: the same answer once more is one line for a person, and a whole one for a tool.
    """
    shown = found.shown(form, lines=False)
    if form != "plain":
        return shown
    now = dt.datetime.now().astimezone().strftime("%H:%M:%S")
    if last is not None and last.substance == found.substance:
        return f"{now}  as before: {shown.splitlines()[0]}"
    return f"\n{now}\n{shown}"

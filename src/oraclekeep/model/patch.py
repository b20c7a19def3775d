"""
A patch and what is found in it.  Imports nothing of ours.

Paths are strings relative to the repository's root in POSIX form; names that are not UTF-8 carry surrogate
escapes.  Commits are full hashes.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from contextlib import AbstractContextManager

T = TypeVar("T")


class RowKind(enum.StrEnum):
    """
    What a row of the decision table does to the verdict.
    """

    NOTE = "note"
    CREDIT = "credit"
    NEGATIVE = "negative"
    UNDEFINED = "undefined"


class PatchKind(enum.StrEnum):
    """
    Whose paths the patch touches.
    """

    AGENT = "agent"
    OWNER = "owner"
    MIXED = "mixed"
    EMPTY = "empty"


class State(enum.StrEnum):
    """
    Undefined beats negative beats ok.
    """

    OK = "ok"
    NEGATIVE = "negative"
    UNDEFINED = "undefined"


@dataclass(frozen=True, slots=True)
class Entry:
    """
    One path of a tree: its mode (`100644`, `100755`, `120000`, `160000`) and blob id.
    """

    mode: str
    oid: str

    @property
    def is_link(self) -> bool:
        return self.mode == "120000"

    @property
    def is_submodule(self) -> bool:
        return self.mode == "160000"


@dataclass(frozen=True, slots=True, order=True)
class Delta:
    """
    One changed path.  ``old`` is None for an added path, ``new`` for a deleted one; renames are not paired.
    """

    path: str
    old: Entry | None = field(compare=False)
    new: Entry | None = field(compare=False)

    @property
    def added(self) -> bool:
        return self.old is None

    @property
    def deleted(self) -> bool:
        return self.new is None

    @property
    def same_bytes(self) -> bool:
        return self.old is not None and self.new is not None and self.old.oid == self.new.oid


class Beside(Protocol):
    """
    Begins work that may go on beside ours; what it yields waits for the answer.  `nullcontext` does it here.
    """

    def __call__(self, work: Callable[[], T], /) -> AbstractContextManager[Callable[[], T]]: ...


class Snapshot(Protocol):
    """
    One side of the patch, read from Git and never from the working copy.
    """

    @property
    def commit(self) -> str: ...

    def entry(self, path: str) -> Entry | None:
        """
        Return the path's mode and blob id, or None where the tree has no such file.
        """

    def read(self, path: str) -> bytes | None:
        """
        Return the blob's bytes (a link's target text), or None where there is no such file.
        """

    def under(self, folder: str) -> Mapping[str, Entry]:
        """
        Return every file below the folder, sorted by path; an empty folder name means the whole tree.
        """


@dataclass(frozen=True, slots=True)
class PowerShift:
    """
    How many oracles the touched tests hold on both sides, and what that is more or less by kind and by test.
    """

    base: int = 0
    head: int = 0
    by_kind: Mapping[str, int] = field(default_factory=dict)
    by_test: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, order=True)
class Finding:
    """
    One place where the patch changed what can fail, before it has a price.

    Sorts by place, so that two runs print the same report.  ``units`` is how many times the row's weight it
    costs; ``test`` is a nodeid, a property id, or empty.
    """

    path: str
    line: int
    row: str  # id of the decision-table row
    test: str = ""
    message: str = ""  # one sentence: how the suite can fail less
    advice: str = ""  # one sentence: what to do next
    before: str | None = field(default=None, compare=False)
    after: str | None = field(default=None, compare=False)
    units: int = 1


@dataclass(frozen=True, slots=True)
class Charge:
    """
    A finding with its price: ``points`` is negative for a loss, positive for a credit.
    """

    finding: Finding
    points: int
    kind: RowKind  # after weights of 0 and allowances, not as the table has it
    allowed_by: str = ""  # the allowance of base that turned it into a note


@dataclass(frozen=True, slots=True)
class Spend:
    """
    What the static scorer says about a patch.
    """

    state: State
    score: int | None
    credit: int
    debit: int
    charges: tuple[Charge, ...]
    counts: Mapping[str, int]

    @property
    def rejects(self) -> bool:
        return self.state is not State.OK or self.score is None or self.score < 0

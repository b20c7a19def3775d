"""
Exit codes and the errors that carry them.
"""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING, ClassVar, Final

if TYPE_CHECKING:
    from collections.abc import Mapping


@enum.unique
class Exit(enum.IntEnum):
    """
    What CI sees.  Zero is the only way to say yes.
    """

    ALLOW = 0
    REJECT = 1  # looked and refused; always with reasons
    CANNOT_JUDGE = 2  # usage, bad policy file, no merge base, our own crash
    INTERRUPTED = 130


#: For people; the README has the first three in its own words.
MEANINGS: Final[Mapping[Exit, str]] = {
    Exit.ALLOW: "allow: the gate has looked and has nothing against it; of other tasks, that all is right",
    Exit.REJECT: (
        "reject: the gate has looked and refuses, always with reasons; of other tasks, that something is not"
    ),
    Exit.CANNOT_JUDGE: (
        "could not judge: usage, a bad policy file, no merge base, a conflict, a crash of ours; "
        "never read it as allow"
    ),
    Exit.INTERRUPTED: "interrupted from the keyboard",
}


class GateError(Exception):
    """
    The gate could not judge; the message says what, where, and what to do.
    """

    exit: ClassVar[Exit] = Exit.CANNOT_JUDGE


class ConfigError(GateError):
    """
    A human-owned file says something the gate does not understand.
    """


class MissingEvidence(GateError):  # noqa: N818  # what is wrong, in two words
    """
    The verdict needs a ref, a file or a lane that is not there.
    """


class UsageError(GateError):
    """
    The command line asks for something that does not exist.
    """

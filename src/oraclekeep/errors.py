"""
Exit codes and the errors that carry them.
"""

from __future__ import annotations

import enum
from typing import ClassVar


@enum.unique
class Exit(enum.IntEnum):
    """
    What CI sees.  Zero is the only way to say yes.
    """

    ALLOW = 0
    REJECT = 1  # looked and refused; always with reasons
    CANNOT_JUDGE = 2  # usage, bad policy file, no merge base, our own crash
    INTERRUPTED = 130


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

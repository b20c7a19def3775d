"""
Signs a lane's evidence with an SSH key, when all code of the patch has ended.
"""

from __future__ import annotations

import os
import subprocess
from typing import TYPE_CHECKING, Final

from .plan import LaneError

if TYPE_CHECKING:
    from pathlib import Path

KEY_VARIABLE: Final = "ORACLEKEEP_SIGNING_KEY"
NAMESPACE: Final = "oraclekeep"
SUFFIX: Final = ".sig"


def sign(evidence: Path) -> str:
    """
    Write `FILE.sig` where a key is named, and return what was done, or nothing.

    Raises `LaneError` where the key does not sign: evidence that somebody expects to be signed must be.
    """
    signature = evidence.with_name(evidence.name + SUFFIX)
    signature.unlink(missing_ok=True)  # never the last run's
    key = os.environ.get(KEY_VARIABLE, "")
    if not key:
        return ""
    words = ("ssh-keygen", "-q", "-Y", "sign", "-n", NAMESPACE, "-f", key, str(evidence))
    try:
        done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    except OSError as error:
        raise LaneError(f"ssh-keygen: {error.strerror}; install OpenSSH, or unset {KEY_VARIABLE}") from error
    if done.returncode or not signature.is_file():
        said = done.stderr.decode("utf-8", "replace").strip().rpartition("\n")[2]
        raise LaneError(f"{KEY_VARIABLE}: {said or f'ssh-keygen exited with {done.returncode}'}")
    return f"signed with {key}"

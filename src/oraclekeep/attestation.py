"""
Who signed a replay's evidence: `ssh-keygen -Y verify` against the signers that base knows (SPEC §7).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from oraclekeep.effects import run, scratch_folder
from oraclekeep.lanekit.signing import NAMESPACE, SUFFIX
from oraclekeep.signatures import SIGNERS

if TYPE_CHECKING:
    from pathlib import Path

#: An entry whose key is for statements of ours: such a signer is expected to sign.
_FOR_US: Final = re.compile(rf'namespaces="[^"]*\b{NAMESPACE}\b[^"]*"')


@dataclass(frozen=True, slots=True)
class Signed:
    """
    Who vouches for a file; ``doubt`` says why it may not be believed.
    """

    by: str = ""
    doubt: str = ""


def signed(evidence: Path, signers: bytes | None) -> Signed:
    """
    Check the signature beside a file; ``signers`` is base's `oracle/allowed_signers`, None where it has none.
    """
    signature = evidence.with_name(evidence.name + SUFFIX)
    if signers is None:
        return Signed()  # nobody could be known
    if not signature.is_file():
        demanded = _FOR_US.search(signers.decode("utf-8", "replace"))
        why = f"it is not signed, and {SIGNERS} at base names a key for `{NAMESPACE}`"
        return Signed(doubt=why if demanded else "")
    with scratch_folder() as folder:
        known = folder / "allowed_signers"
        known.write_bytes(signers)
        return _checked(evidence, signature, known)


def _checked(evidence: Path, signature: Path, known: Path) -> Signed:
    try:
        data = evidence.read_bytes()
        asked = ("ssh-keygen", "-Y", "find-principals", "-s", str(signature), "-f", str(known))
        found = run(asked, cwd=known.parent, check=False)
        for name in found.stdout.decode("utf-8", "replace").split("\n"):
            if not name.strip():
                continue
            words = (
                "-Y",
                "verify",
                "-f",
                str(known),
                "-I",
                name.strip(),
                "-n",
                NAMESPACE,
                "-s",
                str(signature),
            )
            if run(("ssh-keygen", *words), cwd=known.parent, stdin=data, check=False).returncode == 0:
                return Signed(by=name.strip())
    except OSError as error:
        return Signed(doubt=f"its signature can't be checked: ssh-keygen: {error.strerror}; install OpenSSH")
    if found.returncode:
        return Signed(doubt=f"its signature is of nobody in {SIGNERS} at base")
    return Signed(doubt="its signature is bad: the evidence is not what was signed")

"""
Who signed the commits of a patch: Git's own SSH check against the signers that base knows (SPEC §3).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from oraclekeep.effects import scratch_folder

if TYPE_CHECKING:
    from pathlib import Path

    from oraclekeep.git import Repo
    from oraclekeep.paths import Layout

SIGNERS: Final = "oracle/allowed_signers"
#: `%G?` in words.  Only G is a proof.
_FAULTS: Final = {
    "N": "it carries no signature",
    "B": "its signature is bad: the commit is not what was signed",
    "U": f"its signer is not in {SIGNERS} at base",
    "X": "its signature has expired",
    "Y": "its key has expired",
    "R": "its key is revoked",
    "E": f"its signature cannot be checked against {SIGNERS} at base",
}


def unproven_commits(
    repo: Repo, merge_base: str, head: str, layout: Layout, signers: bytes | None
) -> tuple[tuple[str, str], ...]:
    """
    Return the commits of a patch that touch human-owned paths without a proof, each with what failed.

    ``signers`` is `oracle/allowed_signers` of base's tip; None where there is none: nothing is proven then.
    A merge commit touches what it takes from any of its parents: choosing a side can undo a policy.
    """
    touching = _touching(repo, merge_base, head, layout)
    if not touching:
        return ()
    if signers is None:
        return tuple((commit, f"base has no {SIGNERS} to check it against") for commit in touching)
    with scratch_folder() as folder:
        file = folder / "allowed_signers"
        file.write_bytes(signers)
        faults = _faults(repo, touching, file)
    return tuple((commit, faults[commit]) for commit in touching if faults[commit])


def _touching(repo: Repo, merge_base: str, head: str, layout: Layout) -> tuple[str, ...]:
    commits = (
        repo.git("--no-replace-objects", "rev-list", "--reverse", "--topo-order", head, f"^{merge_base}")
        .decode()
        .split()
    )
    return tuple(
        commit for commit in commits if any(layout.is_human_owned(path) for path in _paths(repo, commit))
    )


def _paths(repo: Repo, commit: str) -> set[str]:
    """
    Return the paths in which a commit differs from any of its parents.
    """
    parents = (
        repo.git("--no-replace-objects", "rev-list", "--parents", "--max-count=1", commit)
        .decode()
        .split()[1:]
    )
    if not parents:
        return set(repo.ls(commit))
    return {delta.path for parent in parents for delta in repo.deltas(parent, commit)}


def _faults(repo: Repo, commits: tuple[str, ...], signers: Path) -> dict[str, str]:
    """
    Return what is wrong with each commit's signature; empty where it is a proof.
    """
    # OpenPGP and X.509 would be checked against the runner's keyring, not base's file: no program, no proof.
    settings = (
        "gpg.format=ssh",
        f"gpg.ssh.allowedSignersFile={signers}",
        "gpg.openpgp.program=false",
        "gpg.x509.program=false",
        "log.showSignature=false",
        "core.commitGraph=false",
    )
    flags = tuple(word for setting in settings for word in ("-c", setting))
    out = repo.git(
        "--no-replace-objects",
        *flags,
        "log",
        "--no-walk=unsorted",
        "--no-color",
        "-z",
        "--format=%H%x00%G?%x00%GF",
        "--stdin",
        stdin="".join(f"{commit}\n" for commit in commits).encode(),
    )
    fields = out.decode("utf-8", "replace").removesuffix("\0").split("\0")
    found = dict.fromkeys(commits, "git says nothing about its signature")
    for commit, state, key in zip(fields[::3], fields[1::3], fields[2::3], strict=True):
        proven = state == "G" and key.startswith("SHA256:")
        found[commit] = "" if proven else _FAULTS.get(state, "its signature is not an SSH signature")
    return found

"""
Signed evidence: a replay signs what it left, and the verdict knows whose word it is.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from typing import TYPE_CHECKING, Any

import pytest

from oraclekeep.attestation import signed
from oraclekeep.judging import judge_run
from oraclekeep.lanekit.signing import KEY_VARIABLE

from .gate_files import evidence, row, write_lane, write_run
from .inventory_trees import prop, tree
from .scores import checked
from .test_inventory_commands import lane

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

pytestmark = pytest.mark.skipif(shutil.which("ssh-keygen") is None, reason="needs ssh-keygen")


@pytest.fixture(scope="module")
def keys(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("keys")
    for name in ("witness", "stranger"):
        argv = ("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", name, "-f", str(folder / name))
        subprocess.run(argv, check=True)
    return folder


def entry(keys: Path, name: str, options: str = "") -> bytes:
    return f"{name}@example.invalid {options} ".encode() + (keys / f"{name}.pub").read_bytes()


def sign(path: Path, key: Path, namespace: str = "oraclekeep") -> None:
    subprocess.run(("ssh-keygen", "-q", "-Y", "sign", "-n", namespace, "-f", str(key), str(path)), check=True)


#: how the file is signed, the signers of base, who signed, words of the doubt
SIGNATURES: dict[str, tuple[str, str, str, str]] = {
    "good": ("witness", "plain", "witness@example.invalid", ""),
    "good, for us alone": ("witness", "ours", "witness@example.invalid", ""),
    "of a stranger": ("stranger", "plain", "", "nobody in oracle/allowed_signers at base"),
    "for something else": ("witness git", "plain", "", "its signature is bad"),
    "changed afterwards": ("witness changed", "plain", "", "its signature is bad"),
    "none": ("", "plain", "", ""),
    "none, and one is expected": ("", "ours", "", "it is not signed"),
    "no signer is known": ("witness", "none", "", ""),
    "garbage": ("garbage", "plain", "", "nobody in"),
}


@pytest.mark.parametrize("name", SIGNATURES)
def test_each_state_of_a_signature(tmp_path: Path, keys: Path, name: str) -> None:
    how, known, by, doubt = SIGNATURES[name]
    path = tmp_path / "witness.json"
    path.write_text("{}")
    who, _, what = how.partition(" ")
    if who == "garbage":
        (tmp_path / "witness.json.sig").write_text("no signature")
    elif who:
        sign(path, keys / who, "git" if what == "git" else "oraclekeep")
    if what == "changed":
        path.write_text("{ }")
    signers = {"plain": entry(keys, "witness"), "ours": entry(keys, "witness", 'namespaces="oraclekeep"')}

    found = signed(path, signers.get(known))

    assert found.by == by
    assert doubt in found.doubt
    assert bool(doubt) is bool(found.doubt)


PRODUCT = {"samples.json": "[1]", "src/product.py": "def fn(s): return s\n"}


def test_the_witness_signs_when_all_has_run(
    tmp_path: Path, keys: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(KEY_VARIABLE, str(keys / "witness"))
    done, _, _ = lane(tree(tmp_path / "repo", PRODUCT, [prop("product.fn")]), "witness")

    assert done.returncode == 0, done.stderr
    found = signed(tmp_path / "repo/.gate/evidence/witness.json", entry(keys, "witness"))
    assert found.by == "witness@example.invalid"


def test_a_key_that_does_not_sign_is_no_silence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(KEY_VARIABLE, str(tmp_path / "nonesuch"))
    done, _, _ = lane(tree(tmp_path / "repo", PRODUCT, [prop("product.fn")]), "witness")

    assert done.returncode == 2
    assert KEY_VARIABLE in done.stderr


@pytest.mark.parametrize(
    ("key", "state"), [("witness", "agrees"), ("stranger", "protocol-error"), ("", "agrees")]
)
def test_the_verdict_says_whose_word_it_is(
    make_repo: Callable[..., Any], keys: Path, key: str, state: str
) -> None:
    repo = make_repo()
    base = repo.commit({"oracle/allowed_signers": entry(keys, "witness"), "oracle/weights.json": "{}"})
    head = repo.commit({"README.md": "more\n", ".gitignore": ".gate\n"})
    gate = repo.root / ".gate"
    ids = {"base": base, "head": head}
    write_run(gate, {"inventory": {}, "witness": {"required": False}}, **ids)
    for name in ("inventory", "witness"):
        write_lane(gate, evidence(name, row("adds"), **ids))
    if key:
        sign(gate / "evidence/witness.json", keys / key)

    verdict = judge_run(gate, repo.root, ())
    found = checked(verdict.document)["witness"]

    assert found["state"] == state, json.dumps(found, indent=1)
    assert found["runs"][0]["signed_by"] == ("witness@example.invalid" if key == "witness" else "")
    assert verdict.allows is (state == "agrees")

"""
Documents that a test starts from: a whole score, and the published schemas that every score and verdict fits.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, Final

from jsonschema import Draft202012Validator

from oraclekeep.policy.schema import schema

if TYPE_CHECKING:
    from collections.abc import Mapping

BASE, HEAD = "b" * 40, "c" * 40
PUBLISHED: Final = {"oraclekeep/score/1": "score", "oraclekeep/verdict/1": "verdict"}


def finding(rule: str, points: int = 0, gate: str = "reject", **more: Any) -> dict[str, Any]:
    """
    Return a finding as the scorer writes one.
    """
    return {
        "rule": rule, "path": "t.py", "line": 3, "test": "", "message": "", "before": None, "after": None,
        "points": points, "gate": gate, "advice": "", "allowed_by": None, **more,
    }  # fmt: skip


def score(*findings: dict[str, Any], **changes: Any) -> dict[str, Any]:
    """
    Return a score that has nothing against the patch, but for the findings and changes that are given.
    """
    return {
        "schema": "oraclekeep/score/1", "decision": "allow", "state": "ok", "score": 0, "base": BASE,
        "base_from": "main", "merge_base": BASE, "head": HEAD, "patch": "agent", "credit": 0, "debit": 0,
        "counts": {}, "power": {"base": 0, "head": 0}, "fixture_digest": {}, "intent": [], "reasons": [],
        "findings": list(findings), "not_judged": [], "uncommitted": 0, **changes,
    }  # fmt: skip


@cache
def _validator(name: str) -> Draft202012Validator:
    return Draft202012Validator(schema(name))


def wrongs(document: Mapping[str, Any]) -> list[str]:
    """
    Return what a document's published schema has against it.
    """
    errors = _validator(PUBLISHED[document["schema"]]).iter_errors(document)
    return [f"{error.json_path}: {error.message}" for error in errors]


def checked(document: Mapping[str, Any]) -> dict[str, Any]:
    """
    Return a score or a verdict, once it fits its schema.
    """
    assert wrongs(document) == []
    return dict(document)

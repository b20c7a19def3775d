"""
A frozen fixture: the digest of its bytes, and the samples in them.
"""

from __future__ import annotations

import csv
import hashlib
import json
from typing import Any


class FixtureError(Exception):
    """
    The fixture's bytes are not samples; the message says where.
    """


def file_digest(data: bytes, canonical: str = "") -> str:
    """
    Return the sha256 of the bytes, or of their canonical JSON where the lock asks for that.

    Bytes that are not strict JSON keep the digest of their bytes, which no lock of a canonical form matches.
    """
    if canonical == "json":
        try:
            return canonical_json_digest(data)
        except (ValueError, RecursionError):
            pass
    return hashlib.sha256(data).hexdigest()


def canonical_json_digest(data: bytes) -> str:
    """
    Return the sha256 of JSON with sorted keys, no white space, and UTF-8 text.

    Raises `ValueError` for anything but strict JSON: a key that stands twice would hide a value.
    """
    value = json.loads(data.decode("utf-8-sig"), object_pairs_hook=_unique, parse_constant=_refuse)
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key stands twice")
    return found


def _refuse(name: str) -> float:
    raise ValueError(f"{name} is not JSON")


def samples_of(path: str, data: bytes) -> list[Any]:
    """
    Read a JSON list, JSON Lines, CSV or TSV with a header (a mapping per row), or text (a sample per line).

    The format goes by the file's suffix.  Raises `FixtureError`.
    """
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise FixtureError(f"not UTF-8 at byte {error.start}") from error
    suffix = path.rpartition("/")[2].rpartition(".")[2].lower()
    if suffix == "json":
        found = _json(text)
        if not isinstance(found, list):
            raise FixtureError(f"a {type(found).__name__} stands where a JSON list of samples must be")
        return found
    if suffix in ("jsonl", "ndjson"):
        return [_json(line, number) for number, line in _lines(text) if line.strip()]
    if suffix in ("csv", "tsv"):
        return _table(text, "," if suffix == "csv" else "\t")
    return [line for _, line in _lines(text)]


def _lines(text: str) -> list[tuple[int, str]]:
    lines = text.split("\n")
    if not lines[-1]:
        lines.pop()
    return [(number, line.removesuffix("\r")) for number, line in enumerate(lines, 1)]


def _json(text: str, line: int = 0) -> Any:
    try:
        return json.loads(text)
    except ValueError as error:
        place = f"line {line}: " if line else ""
        raise FixtureError(f"{place}not JSON: {error}") from error
    except RecursionError as error:
        raise FixtureError("nested too deep to read") from error


def _table(text: str, delimiter: str) -> list[Any]:
    rows = csv.reader(text.splitlines(keepends=True), delimiter=delimiter, strict=True)
    found: list[Any] = []
    try:
        header = next(rows, [])
        if len(set(header)) != len(header):
            raise FixtureError("a column's name stands twice in the header")
        for row in rows:
            if not row:
                continue
            if len(row) != len(header):
                raise FixtureError(
                    f"line {rows.line_num}: {len(row)} fields, but the header has {len(header)}"
                )
            found.append(dict(zip(header, row, strict=True)))
    except csv.Error as error:
        raise FixtureError(f"line {rows.line_num}: {error}") from error
    return found

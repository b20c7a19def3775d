"""
Case files: a folder holds what a test file was and what it became; comments say what is found where.

`base.py` and `head.py` are two versions of `tests/test_case.py`; `NAME_base.py` and `NAME_head.py` are two
versions of a file of `PLACES`.  A trailing `# row-id` is a finding on that line, in either version.  A
finding that rejects and is not marked fails the case; so does a mark that finds nothing.
"""

from __future__ import annotations

import datetime as dt
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest
from tests.branches import Sides, write_branches

from oraclekeep.pipeline import Request, score
from oraclekeep.reports.scoring import document
from oraclekeep.reports.wording import side
from oraclekeep.rows import ROWS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

CASES: Final = Path(__file__).parent / "cases"
#: The first word of a file's name in a case -> where it stands in the repository.
PLACES: Final = {
    "": "tests/test_case.py",
    "other": "tests/test_other.py",
    "below": "tests/below/test_below.py",
    "conftest": "tests/conftest.py",
    "helpers": "tests/helpers.py",
    "prod": "src/shop/core.py",
    "prodtwo": "src/shop/extra.py",
    "golden": "tests/golden.txt",
    "rows": "tests/rows.csv",
    "record": "tests/record.json",
    "snapshot": "tests/__snapshots__/test_case.ambr",
}
FOLDERS: Final = sorted({path.parent for path in CASES.glob("*/*/*.py")})
SILENT: Final = "silent"
#: Cases that the scorer is known to get wrong; the list can only shrink.
OPEN: Final = frozenset(
    line for line in (CASES / "open.txt").read_text(encoding="utf-8").splitlines() if not line.startswith("#")
)
_MARK: Final = re.compile(r"#\s*((?:[a-z]+(?:-[a-z]+)+)(?:\s*,\s*[a-z]+(?:-[a-z]+)+)*)\s*$")
_LISTED: Final = {"oracle/intent.json": b'{"allow_behavior_change": ["src/"]}\n'}
_PYPROJECT: Final = (
    b'[project]\nname = "shop"\nversion = "1"\n\n[tool.pytest.ini_options]\ntestpaths = ["tests"]\n'
)


def files(folder: Path, side: str) -> dict[str, bytes]:
    """
    Return one side's whole tree.  A file with no version for head stays, except the test file itself.
    """
    tree = {
        "pyproject.toml": _PYPROJECT,
        "src/shop/__init__.py": b"",
        "src/shop/core.py": (CASES / "core.py").read_bytes(),
        "oracle/intent.json": b'{"allow_behavior_change": []}\n',
    }
    for path in sorted(folder.iterdir()):
        stem, _, version = path.stem.rpartition("_")
        if path.name in ("intent.json", "gate.yaml", "quarantine.json"):
            tree[f"oracle/{path.name}"] = path.read_bytes()
        elif path.suffix in (".py", ".txt") and (
            version == side
            or (version == "base" and stem and not path.with_name(f"{stem}_head{path.suffix}").exists())
        ):
            tree[PLACES[stem]] = path.read_bytes()
    return tree


def marked(folder: Path) -> set[tuple[str, int, str]]:
    """
    Return every (path, line, row) that a comment in the case promises.
    """
    return set(_marks(folder.glob("*.*")))


def _marks(paths: Iterable[Path]) -> Iterator[tuple[str, int, str]]:
    for path in sorted(paths):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
            found = _MARK.search(line)
            for row in re.split(r"\s*,\s*", found.group(1)) if found else ():
                if row in ROWS:
                    yield PLACES[path.stem.rpartition("_")[0]], number, row


def name_of(folder: Path) -> str:
    return folder.relative_to(CASES).as_posix()


def is_inexcusable(folder: Path) -> bool:
    """
    Does the case lose more than an expectation, with no part of production code at stake?
    """
    lost = {row for _, _, row in marked(folder) if ROWS[row].kind == "negative"}
    plain = not any((folder / name).exists() for name in ("prod_head.py", "intent.json"))
    return plain and bool(lost - {"expectation-rewritten"})


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """
    One repository with two branches for each case, and two more where every module is listed as intended.
    """
    patches = {}
    for folder in FOLDERS:
        base, head = files(folder, "base"), files(folder, "head")
        patches[name_of(folder)] = Sides(base, head)
        if is_inexcusable(folder):
            patches[f"listed/{name_of(folder)}"] = Sides(base | _LISTED, head | _LISTED)
    root = tmp_path_factory.mktemp("cases")
    write_branches(root, patches)
    return root


def judged(repository: Path, name: str) -> dict[str, Any]:
    return document(score(Request(repository, dt.date(2024, 6, 1), f"{name}/base", f"{name}/head")))


def found(doc: dict[str, Any], expected: set[tuple[str, int, str]]) -> set[tuple[str, int, str]]:
    """
    Return what rejects, and the notes that the case asks for.
    """
    return {
        (one["path"], one["line"], one["rule"])
        for one in doc["findings"]
        if one["gate"] == "reject" or (one["path"], one["line"], one["rule"]) in expected
    }


def test_an_open_case_is_still_open(repository: Path) -> None:
    """
    A case that came right leaves `cases/open.txt`.
    """
    expected = {name: marked(CASES / name) for name in sorted(OPEN)}
    right = [name for name, marks in expected.items() if marks == found(judged(repository, name), marks)]

    assert right == []


@pytest.mark.parametrize("folder", [one for one in FOLDERS if name_of(one) not in OPEN], ids=name_of)
def test_finds_exactly_what_the_comments_say(folder: Path, repository: Path) -> None:
    """
    Each comment in the case is a finding on that line, and no finding that rejects goes unmarked.
    """
    doc = judged(repository, name_of(folder))
    expected = marked(folder)
    actual = found(doc, expected)

    assert expected == actual
    assert doc["decision"] == (
        "reject" if any(one["gate"] == "reject" for one in doc["findings"]) else "allow"
    )
    assert on_the_wrong_side(folder, doc) == []


def on_the_wrong_side(folder: Path, doc: dict[str, Any]) -> list[tuple[str, int, str]]:
    """
    Return the findings whose line reports would look for in the other version than the one with the mark.

    Where both versions have the same code on that line, both are right.
    """
    marks = {version: set(_marks(folder.glob(f"*{version}.*"))) for version in ("base", "head")}
    places = [(one["path"], one["line"], one["rule"]) for one in doc["findings"]]
    wrong = [
        place
        for place, one in zip(places, doc["findings"], strict=True)
        if place in marks["base"] ^ marks["head"] and place not in marks[side(one)]
    ]
    same = {place[:2] for place in _code(folder, "base") & _code(folder, "head")} if wrong else set()
    return [place for place in wrong if place[:2] not in same]


def _code(folder: Path, version: str) -> set[tuple[str, int, str]]:
    return {
        (PLACES.get(path.stem.rpartition("_")[0], ""), number, _MARK.sub("", line).rstrip())
        for path in folder.glob(f"*{version}.*")
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
    }


@pytest.mark.parametrize(
    "folder", [one for one in FOLDERS if is_inexcusable(one) and name_of(one) not in OPEN], ids=name_of
)
def test_intent_excuses_expectations_only(folder: Path, repository: Path) -> None:
    """
    Listing every module in `allow_behavior_change` lets no check go.
    """
    assert judged(repository, f"listed/{name_of(folder)}")["decision"] == "reject"


def test_silent_cases_promise_no_loss() -> None:
    """
    Under `silent/` stand honest edits: a mark there may only be a note.
    """
    costly = {
        (name_of(folder), row)
        for folder in FOLDERS
        if folder.parent.name == SILENT
        for _, _, row in marked(folder)
        if ROWS[row].kind != "note"
    }

    assert set() == costly


@pytest.mark.parametrize(
    "folder", sorted(path for path in CASES.iterdir() if path.is_dir()), ids=lambda path: path.name
)
def test_each_row_has_cases_that_show_it(folder: Path) -> None:
    """
    A folder is named like the row that its cases show, or `silent`.
    """
    if folder.name == SILENT:
        return
    shown = {row for case in folder.iterdir() for _, _, row in marked(case)}

    assert folder.name in shown

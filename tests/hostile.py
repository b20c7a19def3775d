"""
The functions of `inventory_cases/`, each with the class that its comment expects; and a page made from them.

`python -m tests.hostile` writes the page's tables anew.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

CASES: Final = Path(__file__).parent / "inventory_cases"


@dataclass(frozen=True)
class Case:
    """
    One function of a case file and what its comment expects.
    """

    module: str
    fn: str
    expected: str
    check: str
    words: str

    @property
    def id(self) -> str:
        return f"{self.module}.{self.fn}"


def cases_in(path: Path) -> list[Case]:
    lines = path.read_text().splitlines()
    found = []
    for node in ast.parse(path.read_text()).body:
        comment = (
            re.fullmatch(r"# expect: (\w+) \| (\w+) \|(.*)", lines[node.lineno - 2])
            if node.lineno > 1
            else None
        )
        if comment:
            name = node.targets[0].id if isinstance(node, ast.Assign) else node.name
            found.append(Case(path.stem, name, comment[1], comment[2], comment[3].strip()))
    return found


PAGE: Final = Path(__file__).parents[1] / "docs" / "hostile.md"
START, END = "<!-- made from tests/inventory_cases -->\n", "<!-- end -->\n"


def page() -> str:
    """
    Return the page with its tables made anew; a section for each case file, headed by its docstring.
    """
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(START)
    _, _, after = rest.partition(END)
    return before + START + "".join(_tables()) + END + after


def _tables() -> Iterator[str]:
    for module in dict.fromkeys(case.module for case in ALL):
        title = ast.get_docstring(ast.parse((CASES / f"{module}.py").read_text())) or ""
        yield f"\n## {title.partition('  `#')[0].rstrip('.')}\n\n"
        yield "| behaviour | check | class | known by |\n|---|---|---|---|\n"
        for case in ALL:
            if case.module == module:
                words = case.words.replace("|", "&#124;")
                yield f"| {case.fn.replace('_', ' ')} | `{case.check}` | `{case.expected}` | {words} |\n"
    yield "\n"


ALL: Final = [case for path in sorted(CASES.glob("*.py")) for case in cases_in(path)]

if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")

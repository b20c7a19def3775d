"""
One verdict in the forms that people and machines read; each reporter takes the verdict's JSON document.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    Reporter = Callable[[Mapping[str, Any]], str]


def _later(module: str, name: str) -> Reporter:
    """
    Import a reporter when it is first used: the libraries behind them cost more than most commands.
    """

    def report(verdict: Mapping[str, Any]) -> str:
        reporter: Reporter = getattr(importlib.import_module(f"oraclekeep.reports.{module}"), name)
        return reporter(verdict)

    return report


#: File suffix or name of a form -> its writer.
REPORTERS: Final[Mapping[str, Reporter]] = {
    "json": _later("machine", "as_json"),
    "md": _later("markdown", "markdown"),
    "html": _later("html", "page"),
    "sarif": _later("sarif", "sarif"),
    "xml": _later("machine", "junit"),
    "terminal": _later("text", "terminal"),
}
#: What is written beside `verdict.json`.
FILES: Final = ("json", "md", "html", "sarif", "xml")

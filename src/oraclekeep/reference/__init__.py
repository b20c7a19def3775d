"""
The reference of the documentation, written from what the code itself goes by.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from oraclekeep.reference.files import documents_page, files_page
from oraclekeep.reference.systems import systems_page
from oraclekeep.reference.words import codes_page, sessions_page, tasks_page

if TYPE_CHECKING:
    from collections.abc import Mapping

    from oraclekeep.reference.files import Sample

__all__ = ["reference_pages"]


def reference_pages(noxfile: str, comparison: str, samples: Mapping[str, Sample]) -> dict[str, str]:
    """
    Return the generated pages by their paths below `docs/`.

    ``noxfile`` is the source of an adopting project's sessions, ``comparison`` the page that compares the CI
    templates, and ``samples`` are answers of tasks by their command lines.
    """
    return {
        "reference/files.md": files_page(),
        "reference/tasks.md": tasks_page(),
        "reference/sessions.md": sessions_page(noxfile),
        "reference/json.md": documents_page(samples),
        "reference/exit-codes.md": codes_page(),
        "how-to/ci.md": systems_page(comparison),
    }

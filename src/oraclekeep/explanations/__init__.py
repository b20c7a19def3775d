"""
What the table does not say of its rows: why one matters, an example, and when a human may allow it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from oraclekeep.explanations.form import Explanation
from oraclekeep.explanations.lanes import LANES
from oraclekeep.explanations.owned import OWNED
from oraclekeep.explanations.suite import SUITE

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["EXPLANATIONS", "Explanation"]

EXPLANATIONS: Final[Mapping[str, Explanation]] = {**SUITE, **OWNED, **LANES}

"""
Namesakes: two things of the product that one test file knows under the same name, from two modules.
"""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from oraclekeep.oracles.module import Module
    from oraclekeep.oracles.source import Sources


def namesakes(sources: Sources, module: Module | None) -> frozenset[str]:
    """
    Return the members of the product that a file takes from more than one of its modules.
    """
    homes: dict[str, set[tuple[str, str]]] = defaultdict(set)
    for dotted, member in _taken(sources, module) if module is not None else ():
        homes[member].add((dotted, member))
    return frozenset(
        member
        for member, places in homes.items()
        if len(places) > 1 and len({sources.defines(*place) for place in places}) > 1
    )


def _taken(sources: Sources, module: Module) -> Iterator[tuple[str, str]]:
    for shown, one in module.imports.items():
        whole = f"{one.module}.{one.member}" if one.member else one.module
        if sources.production(whole) is not None:
            for member in set(re.findall(rf"\b{re.escape(shown)}\.(\w+)", module.text)):
                yield whole, member
        elif one.member and sources.production(one.module) is not None:
            yield one.module, one.member

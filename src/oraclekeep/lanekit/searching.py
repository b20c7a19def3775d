"""
Samples that hypothesis makes: from the property's seed alone, and the smallest that fails as a line to keep.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import sys
from typing import TYPE_CHECKING, Any, Final, Protocol

from .sameness import Trouble, said, same

if TYPE_CHECKING:
    from collections.abc import Mapping

_EXAMPLES: Final = 100
_LONGEST: Final = 2000


class Check(Protocol):
    """
    What judges one sample.
    """

    @property
    def over_all(self) -> bool:
        """
        Whether the check takes all samples at once.
        """

    def failure(self, sample: Any) -> str:
        """
        Return what one sample has shown, or an empty text.
        """


def load_hypothesis() -> None:
    """
    Load hypothesis, if it is installed, while the path holds nothing of the tree: its own would answer later.
    """
    with contextlib.suppress(ImportError):
        importlib.import_module("hypothesis.strategies")


def first_failure(check: Check, one: Mapping[str, Any], strategy: Any) -> str:
    """
    Return what the smallest sample that fails has shown, or an empty text.

    Raises `Trouble` where no sample could be made.
    """
    hypothesis: Any = sys.modules.get("hypothesis")
    if hypothesis is None:
        raise Trouble("strategy: hypothesis is not installed where the inventory runs; install it there")
    if check.over_all:
        strategy = hypothesis.strategies.lists(strategy, min_size=2, max_size=20)
    last: list[tuple[str, Any]] = []

    def hold(sample: Any) -> None:
        failure = check.failure(sample)
        if failure:
            last[:] = [(failure, sample)]
            raise AssertionError(failure)

    settings = hypothesis.settings(
        max_examples=one["examples"] or _EXAMPLES, database=None, deadline=None, derandomize=False,
        print_blob=False, report_multiple_bugs=False, verbosity=hypothesis.Verbosity.quiet,
        phases=(hypothesis.Phase.generate, hypothesis.Phase.shrink),
        suppress_health_check=list(hypothesis.HealthCheck),
    )  # fmt: skip
    run = hypothesis.seed(one["seed"])(settings(hypothesis.given(strategy)(hold)))
    try:
        run()
    except Trouble:
        raise
    except BaseException as error:  # hypothesis reports in many ways; what failed is in ``last``
        if not last:
            raise Trouble(f"strategy {one['strategy']}: {said(error)}") from error
        failure, sample = last[0]
        wavers = "; it passed when the same sample came again" if "Flaky" in type(error).__name__ else ""
        return failure + wavers + _to_keep(sample, str(one["fixture"]), several=check.over_all)
    return ""


def _to_keep(sample: Any, fixture: str, *, several: bool) -> str:
    """
    Write a sample as a line of the fixture, so that it is tried from now on whatever the strategy makes.
    """
    where = f"add this line to {fixture}" if fixture else "give the property a fixture with this line"
    lines = [_line(each, fixture) for each in (sample if several else [sample])]
    if not all(lines) or len("".join(lines)) > _LONGEST:
        return "; the sample has no form in JSON that a fixture could keep"
    comma = ", " if fixture.endswith(".json") or not fixture else " | "
    return f"; to keep this sample, {where}: {comma.join(lines)}"


def _line(sample: Any, fixture: str) -> str:
    if isinstance(sample, str) and fixture.endswith(".txt") and "\n" not in sample:
        return sample
    try:
        text = json.dumps(sample, ensure_ascii=False)
        return text if same(json.loads(text), sample) else ""
    except Exception:  # noqa: BLE001  # a hint that can't be given is left out
        return ""

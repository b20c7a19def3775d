"""
What an autouse fixture or a conftest puts in the place of the product, of the assertions, or of a clock.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from oraclekeep.model import Finding
from oraclekeep.oracles import terms
from oraclekeep.oracles.calling import asserts
from oraclekeep.oracles.checks import Kind
from oraclekeep.oracles.extract import at_import, facts_of
from oraclekeep.oracles.fixtures import fixtures_in
from oraclekeep.oracles.showing import show
from oraclekeep.oracles.touched import tests_near
from oraclekeep.oracles.unasked import given

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from oraclekeep.oracles.fixtures import Fixture
    from oraclekeep.oracles.module import Module
    from oraclekeep.oracles.source import Sources
    from oraclekeep.oracles.terms import Term
    from oraclekeep.rules.study import Study

    Wanted = Callable[[Sources, Term], bool]

_TARGETS: Final = ("prod:", "pmod:", "unittest.", "pytest.", "_pytest.", "builtins.")


@dataclass(frozen=True, slots=True)
class Span:
    """
    Lines that run for every test near them.
    """

    path: str
    first: int
    last: int
    what: str
    text: str
    targets: tuple[Term, ...]


def patched_for_all(study: Study) -> Iterator[Finding]:
    """
    Yield a finding for each autouse fixture or conftest that newly replaces the product or the assertions.
    """
    for span in shared_spans(study):
        for target in span.targets:
            covered = sum(len(one.checks) for one in study.new.facts.values())
            yield Finding(
                span.path,
                span.first,
                "errors-swallowed",
                "",
                f"{span.what} replaces `{show(target)}` under every test",
                "Patch it in the tests that need it, where a reader sees it.",
                None,
                span.text,
                units=max(1, covered),
            )


#: Clocks of the standard library: where one stands still, every limit on time holds.
_CLOCKS: Final = re.compile(r"time\.(time|monotonic|perf_counter|process_time)(_ns)?")
#: What a changed file must say for a clock to be replaced in it.
_CLOCK_WORD: Final = re.compile(rb"(setattr|patch)[^\n]*\b(time|monotonic|perf_counter|process_time)")


def stopped_clocks(study: Study) -> Iterator[Finding]:
    """
    Yield a finding for each check of a time span whose clock an autouse fixture or conftest newly replaces.
    """
    texts = (study.patch.head.read(delta.path) or b"" for delta in study.patch.deltas)
    if not any(_CLOCK_WORD.search(text) for text in texts):
        return
    for span in shared_spans(study, _is_clock):
        names = {show(target).strip("'\"") for target in span.targets}
        words = {name.rpartition(".")[2] for name in names}
        known, found = (tests_near(side.sources, span.path, words) for side in (study.old, study.new))
        for nodeid, test in sorted(found.items()):
            if nodeid not in known and nodeid not in study.old.collected:
                continue
            facts = study.new.facts.get(nodeid) or facts_of(study.new.sources, test)
            for one in facts.checks:
                if one.kind in (Kind.ORDER, Kind.CLOSE) and not names.isdisjoint(terms.names_in(one.subject)):
                    why = f"{span.what} replaces the clock that the check reads"
                    advice = "Patch the clock in the tests that need it, where a reader sees it."
                    yield Finding(
                        span.path,
                        span.first,
                        "oracle-weakened",
                        nodeid,
                        why,
                        advice,
                        one.place.text,
                        span.text,
                    )


def _is_clock(_: Sources, target: Term) -> bool:
    return _CLOCKS.fullmatch(show(target).strip("'\"")) is not None


def shared_spans(study: Study, is_wanted: Wanted | None = None) -> Iterator[Span]:
    """
    Yield the places in changed files of the suite that newly replace something for every test.
    """
    wanted = is_wanted or _is_target
    for delta in study.patch.deltas:
        module = (
            study.new.sources.module(delta.path)
            if delta.path.endswith(".py") and delta.new is not None and study.new.sources.owns(delta.path)
            else None
        )
        if module is None:
            continue
        before = study.old.sources.module(delta.path)
        known = {target for one in _shared(study.old.sources, before, wanted) for target in one.targets}
        for span in _shared(study.new.sources, module, wanted):
            fresh = tuple(sorted(set(span.targets) - known))
            if before is None and span.what == module.path.rpartition("/")[2] != "conftest.py":
                fresh = tuple(one for one in fresh if _is_tool(one))  # the tests that come with it need it
            if fresh:
                yield replace(span, targets=fresh)


def _shared(sources: Sources, module: Module | None, wanted: Wanted) -> Iterator[Span]:
    """
    Yield the autouse fixtures of a module and each of its own statements that replaces something.
    """
    if module is None:
        return
    for fixture in fixtures_in(sources, module):
        if fixture.autouse:
            node, what = fixture.node, f"the autouse fixture `{fixture.name}`"
            last = node.end_lineno or node.lineno
            targets = tuple(sorted(_targets(sources, module, fixture, wanted)))
            yield Span(module.path, node.lineno, last, what, module.segment(node), targets)
    what = module.path.rpartition("/")[2]
    for target, place in at_import(sources, module).patches.items():
        if wanted(sources, target) and (what == "conftest.py" or place.path == module.path):
            yield Span(module.path, place.line, place.line, what, place.text, (target,))


def _targets(sources: Sources, module: Module, fixture: Fixture, wanted: Wanted) -> set[Term]:
    run = given(sources, module.path, fixture)
    return {target for target in (run.patches if run is not None else ()) if wanted(sources, target)}


def _is_tool(target: Term) -> bool:
    return not any(name.startswith(("prod:", "pmod:")) for name in terms.names_in(target))


def _is_target(sources: Sources, target: Term) -> bool:
    return (
        any(name.startswith(_TARGETS) for name in terms.names_in(target))
        or _named_in_text(sources, target)
        or _is_helper(sources, target)
    )


def _is_helper(sources: Sources, target: Term) -> bool:
    """
    Return whether a helper of the suite that asserts is what gets replaced.
    """
    owner = target.args[0] if target.op == "attr" else None
    if owner is None or owner.op != "name" or not owner.value.startswith("suite:"):
        return False
    module = sources.module(owner.value.removeprefix("suite:"))
    nodes = module.defs.get(target.value, []) if module is not None else []
    return any(asserts(node) for node in nodes)


def _named_in_text(sources: Sources, target: Term) -> bool:
    """
    `setattr("package.module.name", …)` names production code as a text.
    """
    if target.op != "const" or not terms.is_literal(target):
        return False
    dotted = str(terms.literal(target))
    return dotted.startswith(("unittest.", "_pytest.", "pytest.")) or any(
        sources.production(dotted.rsplit(".", count)[0]) is not None for count in (1, 2)
    )

"""
`propose`: from a patch to candidates that were run, and the files in which they wait.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

from oraclekeep import pipeline
from oraclekeep.conjectures.functions import LeftOut, is_first_party
from oraclekeep.conjectures.reasoning import reason, samples_of_function
from oraclekeep.effects import refuse_links, scratch_folder, write_new
from oraclekeep.errors import UsageError
from oraclekeep.folder import FolderSnapshot
from oraclekeep.git import Repo, TreeSnapshot
from oraclekeep.lanekit.inventory_classes import PASS
from oraclekeep.paths import is_below
from oraclekeep.policy.ledgers import replays_of
from oraclekeep.policy.overlay import Overlaid
from oraclekeep.proposing.asking import ask
from oraclekeep.proposing.queue import (
    FOLDER,
    SAMPLES,
    Candidate,
    Names,
    Queue,
    candidate_of,
    claim_of,
    file_text,
    with_file,
)
from oraclekeep.proposing.scratch import add_built, lay_out
from oraclekeep.proposing.trying import Bench

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from pathlib import Path

    from oraclekeep.conjectures.functions import Function
    from oraclekeep.model import Property, Snapshot
    from oraclekeep.rules import Patch

_HEAD: Final = (
    "Candidates of `oraclekeep propose` for {base}..{head}.  None of them votes.\n"
    "An owner takes one over with `oraclekeep promote ID --note WHY`; delete the others."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """
    How candidates are looked for.
    """

    seconds: float = 120.0  # for the proposer
    python: str = sys.executable
    only_green: bool = False
    dry_run: bool = False
    progress: Callable[[str], None] = lambda _: None


@dataclass(frozen=True, slots=True)
class Tried:
    """
    One candidate with what its run said, and the file in which it waits.
    """

    candidate: Candidate
    row: Mapping[str, Any]
    path: str = ""

    @property
    def holds(self) -> bool:
        return bool(self.row["status"] == PASS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Thoughts:
    """
    What there is to try, and what there is not.
    """

    candidates: tuple[Candidate, ...] = ()
    left: tuple[LeftOut, ...] = ()
    known: tuple[tuple[str, str], ...] = ()  # (function, the property or candidate that says it already)
    faults: tuple[str, ...] = ()  # files of candidates that can't be read


@dataclass(frozen=True, kw_only=True)
class Proposal:
    """
    All that `propose` has to say.
    """

    span: pipeline.Range
    thoughts: Thoughts
    tried: tuple[Tried, ...] = ()
    files: Mapping[str, str] = field(default_factory=dict)


def propose(request: pipeline.Request, options: Options) -> Proposal:
    """
    Think of candidates for what a patch changed, ask the proposer for more, run all, and write them down.

    Raises `UsageError` where the gate is not adopted, `ConfigError` where the proposer fails; then nothing is
    written.
    """
    repo, span = pipeline.resolve(Repo.at(request.root), request)
    deltas = repo.deltas(span.merge_base, span.tree)
    here = FolderSnapshot(repo.root)
    refuse_links(repo.root, (f"{SAMPLES}x",))
    with repo.blobs() as blobs, scratch_folder() as folder:
        sides = pipeline.Sides(
            *(TreeSnapshot(repo, blobs, one) for one in (span.merge_base, span.tree, span.base))
        )
        patch = pipeline.read_patch(sides, deltas, request)
        if not patch.policy.adopted:
            raise UsageError(
                f"base {span.base[:12]} has no oracle/; run `oraclekeep init`, and land that first"
            )
        asked = ask(repo, patch, (span.merge_base, span.tree), options.seconds)
        thoughts = _think(patch, here, asked)
        tried: tuple[Tried, ...] = ()
        if thoughts.candidates:
            bench = _bench(repo, patch, span, folder / "head", options)
            if any(one.idea and one.idea.as_before for one in thoughts.candidates):
                old = _bench(repo, patch, span, folder / "base", options, of_base=True)
                thoughts = _with_answers(thoughts, old)
            thoughts, tried = _try(thoughts, bench, Names((), here))
    found = Proposal(span=span, thoughts=thoughts, tried=tried)
    return found if options.dry_run else _write(repo.root, here, found, options)


# ------------------------------------------------------------------------------------------------- thinking


def _think(patch: Patch, here: FolderSnapshot, asked: Iterable[Property]) -> Thoughts:
    """
    Join what we think of and what the proposer printed, without what somebody said before.
    """
    queue = Queue.of(here)
    waiting = (*queue.properties, *Queue.of(patch.head).properties)
    laws = (*patch.policy.inventory.properties, *replays_of(here).inventory.properties, *waiting)
    claims = {claim_of(one): one.id for one in laws}
    names = Names((one.id for one in laws), here)
    ideas, left = reason(patch)
    known: list[tuple[str, str]] = []
    missing = list(left)
    found: list[Candidate] = []
    for idea in ideas:
        law = candidate_of(idea, Names((), here)).law
        if claim_of(law) in claims:
            known.append((idea.function.dotted, claims[claim_of(law)]))
        else:
            found.append(candidate_of(idea, names))
            claims[claim_of(law)] = found[-1].law.id
    for law in asked:
        dotted = f"{law.module}.{law.fn}"
        if claim_of(law) in claims:
            known.append((dotted, claims[claim_of(law)]))
        elif not is_first_party(patch.head, patch.layout, law.module):
            missing.append(LeftOut(dotted, "the proposer names a module that is not this repository's"))
        else:
            found.append(_asked_for(patch, here, replace(law, id=names.id_for(law.id))))
            claims[claim_of(law)] = law.id
    return Thoughts(candidates=tuple(found), left=tuple(missing), known=tuple(known), faults=queue.faults)


def _asked_for(patch: Patch, here: FolderSnapshot, law: Property) -> Candidate:
    """
    A fixture that a proposer names among the candidates, where there is none, gets samples by the signature.
    """
    origin = patch.policy.settings.proposer[0]
    missing = law.fixture.startswith(FOLDER) and here.read(law.fixture) is None
    drawn = samples_of_function(patch, law.module, law.fn) if missing else None
    if drawn is None or not drawn.values:
        return Candidate(law, source=law.fixture or law.strategy, named=True, origin=origin)
    own = replace(law, fixture="")
    return Candidate(own, source=drawn.source, named=True, origin=origin, samples=drawn.values)


# --------------------------------------------------------------------------------------------------- trying


def _bench(
    repo: Repo,
    patch: Patch,
    span: pipeline.Range,
    folder: Path,
    options: Options,
    *,
    of_base: bool = False,
) -> Bench:
    """
    Lay a side out as files; with what a build left in the working copy, where head is what is checked out.
    """
    here = FolderSnapshot(repo.root)
    waiting = {path: here.read(path) for path, entry in here.under(FOLDER).items() if not entry.is_link}
    tree = patch.base if of_base else Overlaid(patch.head, waiting)
    folder.mkdir()
    lay_out(tree, folder, lambda path: not (is_below(path, "invariants") and _is_link(tree, path)))
    if span.commit == repo.resolve("HEAD"):
        add_built(repo.root, folder, patch.layout.source)
    return Bench(
        tree=tree,
        folder=folder,
        policy=patch.policy,
        today=patch.today,
        python=options.python,
        progress=options.progress,
        earlier=(patch.tip,),
    )


def _is_link(tree: Snapshot, path: str) -> bool:
    entry = tree.entry(path)
    return entry is not None and entry.is_link


def _with_answers(thoughts: Thoughts, old: Bench) -> Thoughts:
    """
    Let base say what the answers were; where it says none, there is nothing to keep.
    """
    asked = [
        (one.idea.function, one.samples) for one in thoughts.candidates if one.idea and one.idea.as_before
    ]
    notes = old.notes(asked)
    found: list[Candidate] = []
    for one in thoughts.candidates:
        if not (one.idea and one.idea.as_before):
            found.append(one)
        elif rows := notes[one.idea.function.dotted].answers:
            found.append(replace(one, samples=rows))
    return replace(thoughts, candidates=tuple(found))


def _try(thoughts: Thoughts, bench: Bench, names: Names) -> tuple[Thoughts, tuple[Tried, ...]]:
    probes: dict[str, tuple[Function, tuple[Any, ...]]] = {
        one.idea.takes.dotted: (one.idea.takes, one.samples)
        for one in thoughts.candidates
        if one.idea and one.idea.takes and one.samples
    }
    notes = bench.notes(probes.values())
    ready: list[Candidate] = []
    left: dict[str, str] = {}
    for one in thoughts.candidates:
        takes = one.idea.takes.dotted if one.idea and one.idea.takes and one.samples else ""
        mine = notes.get(f"{one.law.module}.{one.law.fn}")
        taken = notes[takes].accepted if takes else one.samples
        if one.idea and mine and not mine.rows:  # it hangs, or can't be imported: no candidate would say more
            left[f"{one.law.module}.{one.law.fn}"] = f"no sample of {one.source} came back: {mine.detail}"
        elif takes and not taken:
            why = notes[takes].refusal
            left[takes] = f"it refuses every sample of {one.source}, so no law was tried ({why})"
        else:
            ready.append(with_file(replace(one, samples=taken), names))
    files = {one.law.fixture: one.data for one in ready if one.data is not None}
    rows = bench.run([one.law for one in ready], files)
    tried = tuple(Tried(one, rows[one.law.id]) for one in ready)
    more = (LeftOut(name, why) for name, why in left.items())
    return replace(thoughts, candidates=tuple(ready), left=(*thoughts.left, *more)), tried


# -------------------------------------------------------------------------------------------------- writing


def _write(root: Path, here: FolderSnapshot, found: Proposal, options: Options) -> Proposal:
    """
    Write samples first, then a file of candidates for each module; nobody's file is overwritten.
    """
    kept = [one for one in found.tried if one.holds or not options.only_green]
    by_module: dict[str, list[Tried]] = {}
    for one in kept:
        by_module.setdefault(one.candidate.law.module, []).append(one)
    names, head = Names((), here), _HEAD.format(base=found.span.base[:12], head=found.span.tree[:12])
    files = {one.candidate.law.fixture: one.candidate.data for one in kept if one.candidate.data is not None}
    texts = {path: data.decode() for path, data in files.items() if here.read(path) is None}
    where: dict[str, str] = {}
    for module, rows in by_module.items():
        text = file_text([one.candidate.law for one in rows], head)
        path = names.file_for(f"{FOLDER}{module}", ".yaml", text.encode())
        texts[path] = text
        where |= {one.candidate.law.id: path for one in rows}
    for path, text in texts.items():
        write_new(root / path, text)
    tried = tuple(replace(one, path=where.get(one.candidate.law.id, "")) for one in found.tried)
    return replace(found, tried=tried, files=texts)

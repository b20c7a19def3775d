"""
Jobs of a CI file as others depend on them, and what is lost where they no longer do.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from oraclekeep.machinery.pipelines import events_of
from oraclekeep.machinery.runs import SOFT

if TYPE_CHECKING:
    from collections.abc import Iterator

    from oraclekeep.machinery.reach import Machinery
    from oraclekeep.machinery.yamltext import Yaml


@dataclass(frozen=True, slots=True)
class Weakness:
    """
    One check that head hears less of: ``subject`` is the check, ``what`` the rest of the sentence.
    """

    path: str
    line: int
    subject: str
    what: str
    before: str = ""
    after: str = ""


@dataclass(frozen=True)
class Job:
    """
    A job as others depend on it.
    """

    name: str
    line: int
    needs: frozenset[str]
    judges: bool  # it looks at the results of what it needs
    always: bool  # it runs whatever became of them


def spelt(documents: tuple[Yaml, ...]) -> dict[str, Yaml]:
    """
    Return the jobs of a GitHub-like file by name, as they are written.
    """
    return {name: job for document in documents for name, job in document.at("jobs").map.items()}


def jobs_in(documents: tuple[Yaml, ...]) -> dict[str, Job]:
    """
    Return the jobs of a GitHub-like file by name.
    """
    found: dict[str, Job] = {}
    for name, job in spelt(documents).items():
        needs = frozenset(item.text for item in job.at("needs").items)
        text = job.canon()
        guard = job.at("if").text
        judges = bool(needs) and (
            "needs." in text.replace("needs.outputs", "")
            or "toJSON(needs)" in text
            or "alls-green" in text
            or _only_waits(job)
        )
        always = bool(re.search(r"always\(\)|cancelled\(\)|failure\(\)", guard))
        found[name] = Job(name, job.line, needs, judges or always, always)
    return found


def _only_waits(job: Yaml) -> bool:
    """
    Return whether a job runs nothing of its own: it is there to be green when what it needs is.
    """
    steps = job.at("steps").items
    idle = (re.fullmatch(r"\s*(?:(?:echo\b[^\n]*|true|:|exit 0)\s*)+", one.at("run").text) for one in steps)
    return all(idle) and not job.at("uses").text


def needs_lost(path: str, before: Machinery, after: Machinery) -> Iterator[Weakness]:
    """
    A job that judges other jobs must still depend on every one that checks something.
    """
    old, new = jobs_in(before.documents(path)), jobs_in(after.documents(path))
    for name, job in old.items():
        if not job.judges or name not in new:
            continue
        for lane in sorted(job.needs - new[name].needs):
            checks = [
                run for run in before.runs(path) if run.unit == lane and run.check.group not in ("", *SOFT)
            ]
            heirs = [run for run in after.runs(path) if run.unit in (new[name].needs | {name})]
            lost = [run for run in checks if not any(run.check.key == heir.check.key for heir in heirs)]
            if lost or (lane in new and not checks):
                now = f"needs: {', '.join(sorted(new[name].needs))}"
                what = f"no longer waits for {lane}, so a failure there no longer counts"
                yield Weakness(path, new[name].line, f"Job {name}", what, f"needs: {lane}", now)
        if job.always and not new[name].always and new[name].needs:
            what = "is skipped when a job it needs fails, and a skipped job counts as passed"
            yield Weakness(path, new[name].line, f"Job {name}", what, "if: always()")


def checked_out(path: str, before: Machinery, after: Machinery) -> Iterator[Weakness]:
    """
    A job that checks out a branch of its own choice does not see the change.
    """
    old = spelt(before.documents(path))
    for name, job in spelt(after.documents(path)).items():
        checks = [run for run in after.runs(path) if run.unit == name and run.check.group]
        refs = _refs(job) if checks and name in old and not _refs(old[name]) else ()
        for ref in refs:
            what = f"checks {ref.text} out, not the change"
            yield Weakness(path, ref.line, f"Job {name}", what, "", f"ref: {ref.text}")


def _refs(job: Yaml) -> tuple[Yaml, ...]:
    """
    Return the branches and tags that a job checks out of its own repository, whatever started it.
    """
    given = (
        step.at("with")
        for step in job.at("steps").items
        if re.search(r"(^|/)checkout@", step.at("uses").text)
    )
    return tuple(
        one.at("ref")
        for one in given
        if one.at("ref").text
        and "${{" not in one.at("ref").text
        and not {"repository", "path"} & one.map.keys()
    )


def privileged(path: str, before: Machinery, after: Machinery) -> Iterator[Weakness]:
    """
    `pull_request_target` runs the patch's code with the base's secrets.
    """
    name = "pull_request_target"
    had = any(event.name == name for document in before.documents(path) for event in events_of(document))
    for document in after.documents(path):
        for event in events_of(document):
            if event.name == name and not had and ("checkout" in document.canon() or after.runs(path)):
                yield Weakness(
                    path, event.line, f"`{name}`", "gives code of the patch the secrets of the base", "", name
                )

"""
What a test asks that is its own doing: a call that it has made itself, or what it did right before.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from oraclekeep.oracles import files, terms
from oraclekeep.oracles.checks import Check, Kind
from oraclekeep.oracles.subjects import names_production

if TYPE_CHECKING:
    from collections.abc import Callable

    from oraclekeep.oracles.terms import Term


def own_call(check: Check, scene: tuple[Term, ...]) -> str:
    """
    Say why the call that a mock is asked for is no answer of the product: the test has made it itself.
    """
    if check.kind is not Kind.MOCK or check.detail == "not_called":
        return ""
    wanted = check.expected.args
    made = (one for one in scene if one.op == "call" and one.args[0] == check.subject)
    own = any(not wanted or one.args[1:] == wanted for one in made)
    return "the test itself makes the call that it asks for" if own else ""


def own_doing(check: Check, trace: list[Term], scene: tuple[Term, ...]) -> str:
    """
    Say why what is asked right after is no answer of the product: a mock forgot it, or the test wrote it.
    """
    if trace and trace[-1].op == "asserting" and check.kind is not Kind.MOCK:
        trace = trace[:-1]  # that is this very check
    # A helper that reads the value is asked for it here, and nothing is done in between.
    done = next((one for one in reversed(trace) if not _only_looks(one) and not _is_read(one, check)), None)
    if done is not None and done.op == "set" and done.value and done.args[1].op == "mock":
        told = terms.attr(done.args[0], done.value)
        asked = _looks(check.subject) and terms.contains(check.subject, told)
        return "the mock took its place right before" if asked else ""
    if done is None or done.op != "call":
        return ""
    read = files.reading_of(done)
    if read is not None and _reads(check.subject, read, through=_has_met(scene, read.args[0])):
        return "the test itself has just written what it reads"
    name = terms.method(done) or terms.called(done)
    reader = _OWN.get(name)
    if reader is None:
        return ""
    places = terms.positional(done)
    owner = done.args[0].args[0] if terms.method(done) else places[0] if places else None
    return reader(check, name, owner) if owner is not None else ""


def _after_reset(check: Check, _name: str, mock: Term) -> str:
    asked = _looks(check.subject) and terms.contains(check.subject, mock)
    return "the mock was told to forget its calls right before" if asked else ""


def _after_making(check: Check, _name: str, path: Term) -> str:
    asked = (one.args[0] for one in terms.walk(check.subject) if one.op == "call")
    is_asked = check.detail in _EXISTING and check.subject == path
    is_asked = is_asked or any(
        one.op == "attr" and one.value in _EXISTING and one.args[0] == path for one in asked
    )
    return "the test itself has just made, or taken away, what it looks for" if is_asked else ""


def _after_clearing(check: Check, _name: str, owner: Term) -> str:
    is_heard = owner.op == "fixture" and terms.contains(check.subject, owner)
    return "what was recorded is thrown away right before" if is_heard else ""


#: What asks whether a path is there.
_EXISTING: Final = frozenset({"exists", "is_file", "is_dir"})
#: Calls that settle by themselves what is asked right after them.
_OWN: Final[dict[str, Callable[[Check, str, Term], str]]] = {
    "reset_mock": _after_reset,
    **dict.fromkeys(
        ("write_text", "write_bytes", "touch", "mkdir", "unlink", "rmdir", "shutil.rmtree", "os.remove",
         "os.unlink", "os.mkdir", "os.makedirs", "os.rmdir"),
        _after_making,
    ),
    "clear": _after_clearing,
}  # fmt: skip


def _has_met(scene: tuple[Term, ...], path: Term) -> bool:
    """
    Return whether the product was given a path, and may have written what the test writes over.
    """
    return any(names_production(one) and terms.contains(one, path) for one in scene)


def _reads(term: Term, read: Term, *, through: bool) -> bool:
    """
    Return whether a file is read for a value; what the product makes of it is its own answer.
    """
    if term.op == "call" and term.args[0] == read:
        return True
    if term.op == "call" and names_production(term.args[0]) and not through:
        return False
    return any(_reads(one, read, through=through) for one in term.args)


def _is_read(done: Term, check: Check) -> bool:
    """
    Return whether what was done is the reading of the very value that is asked for, not by the product.
    """
    return done.op == "call" and terms.contains(check.subject, done) and not names_production(done)


def _only_looks(done: Term) -> bool:
    return done.op in {"asserting", "asserted"} and _looks(done)


def _looks(term: Term) -> bool:
    """
    Return whether nothing runs where a term is evaluated.
    """
    calls = (terms.called(one) for one in terms.walk(term) if one.op == "call")
    return all(name in terms.PURE or name.endswith("mock.call") for name in calls)

"""
The ways in which a statement can change what the code under test gave back, told as one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from oraclekeep.oracles import terms
from oraclekeep.oracles.showing import show
from oraclekeep.oracles.terms import Term

if TYPE_CHECKING:
    from collections.abc import Iterator

#: Methods that change a plain container in place.
EDITORS: Final = frozenset(
    {"update", "pop", "popitem", "setdefault", "append", "extend", "insert", "remove", "clear", "discard"}
    | {"add", "sort", "reverse"}
)
#: Calls that set or take away an attribute, or an item, of their first argument or of their own object.
_ATTRIBUTES: Final = frozenset({"setattr", "__setattr__", "delattr", "__delattr__"})
_ITEMS: Final = frozenset({"setitem", "__setitem__", "delitem", "__delitem__"})
#: Who changes another object, by the name that is called.
_CHANGERS: Final = ("object.", "operator.", "dict.", "list.", "set.", "type.")
_MONKEYPATCH: Final = Term("fixture", "monkeypatch")


def edits_of(effect: Term) -> Iterator[Term]:
    """
    Yield what a statement changes in an object, as assignments to it or as calls of its own methods.
    """
    if effect.op == "set":
        yield _through_its_dictionary(effect)
        return
    if effect.op != "call":
        return
    owner, name, args = _called_on(effect)
    if owner is None:
        return
    if name in _ATTRIBUTES and args and (key := _text(args[0])):
        yield Term("set", key, (owner, args[1] if len(args) > 1 else Term("deleted")))
    elif name in _ITEMS and args:
        change = Term("set", show(args[0]), (owner, args[1] if len(args) > 1 else Term("deleted")))
        yield _through_its_dictionary(change)
    elif name in EDITORS and (held := _held_by(owner)) is not None:
        named = [(arg.value, arg.args[0]) for arg in effect.args[1:] if arg.op == "kw"]
        pairs = [pair.args for arg in args if arg.op == "dict" for pair in arg.args if len(pair.args) == 2]
        named += [(key, value) for one, value in pairs if (key := _text(one))]
        yield from (Term("set", key, (held, value)) for key, value in named)
    elif name in EDITORS:
        yield Term("call", "", (Term("attr", name, (owner,)), *args, *_keywords(effect)))


def as_edit(effect: Term) -> Term:
    """
    Return what a statement changes where that is one thing, or the statement itself.
    """
    found = list(edits_of(effect))
    return found[0] if len(found) == 1 else effect


def _called_on(effect: Term) -> tuple[Term | None, str, tuple[Term, ...]]:
    """
    Return the object that a call is about, the last name of what is called, and the other arguments.
    """
    places, method = terms.positional(effect), terms.method(effect)
    if method:
        owner = effect.args[0].args[0]
        if owner == _MONKEYPATCH and method in {*_ATTRIBUTES, *_ITEMS}:
            return (places[0] if places else None), method, places[1:]
        return owner, method, places
    name = terms.called(effect)
    is_changer = name in {"setattr", "delattr"} or name.startswith(_CHANGERS)
    if not is_changer or not places:
        return None, "", ()
    return places[0], name.rpartition(".")[2], places[1:]


def _keywords(effect: Term) -> tuple[Term, ...]:
    return tuple(arg for arg in effect.args[1:] if arg.op == "kw")


def _through_its_dictionary(change: Term) -> Term:
    """
    `x.__dict__["size"] = 5` and `vars(x)["size"] = 5` set an attribute.
    """
    held, key = _held_by(change.args[0]), change.value.strip("'\"")
    return Term("set", key, (held, *change.args[1:])) if held is not None else change


def _held_by(owner: Term) -> Term | None:
    """
    Return the object whose attributes a dictionary holds.
    """
    if owner.op == "attr" and owner.value == "__dict__":
        return owner.args[0]
    return owner.args[1] if terms.called(owner) == "vars" and len(owner.args) == 2 else None


def _text(term: Term) -> str:
    value = terms.literal(term) if term.op == "const" else None
    return value if isinstance(value, str) else ""

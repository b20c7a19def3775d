"""
What a patch may have given another meaning: names of the suite, file by file, and the tests on them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from oraclekeep.oracles.collect import tests_in
from oraclekeep.oracles.extract import at_import
from oraclekeep.oracles.fixtures import fixtures_in
from oraclekeep.oracles.module import Module
from oraclekeep.oracles.parsing import Unparsable
from oraclekeep.oracles.sayings import (
    CASES,
    IMPORT,
    STARS,
    WORD,
    Saying,
    is_test,
    is_unasked,
    leads,
    said_by,
    sayings_of,
    sayings_of_class,
)
from oraclekeep.oracles.source import conftest_paths
from oraclekeep.oracles.unasked import asked, differ, felt, marked
from oraclekeep.paths import is_below

if TYPE_CHECKING:
    import ast
    from collections.abc import Callable, Iterable, Mapping

    from oraclekeep.oracles.collect import Class, Test
    from oraclekeep.oracles.source import Sources


#: What hands on the names of other files without saying them.
_HANDS_ON: Final = re.compile(rb"import\s*\(?\s*\*|pytest_plugins")
#: The options of pytest up to its first `-m` or `-k`, or all of them.
_BY_MARK: Final = re.compile(r"\A.*?((?<![\w-])-[mk]|\Z)", re.DOTALL)
#: What a constant of the product says that asks for the machine.
_MACHINE: Final = re.compile(rb"\b(sys|os|platform)\b")
#: A function or class at the left margin with its decorators and its body.
_BODY: Final = re.compile(
    rb"(?:^@[^\n]*\n(?:[ \t)][^\n]*\n|\r?\n)*)*^(?:class|def|async[ \t]+def)\b[^\n]*"
    rb"(?:\n[ \t)][^\n]*|\n\r?(?=\n|\Z))*",
    re.MULTILINE,
)
_DOCSTRING: Final = re.compile(rb"\A(?:[ \t]*(?:#[^\n]*)?\n)*[A-Za-z]?(\"{3}|'{3}).*?\1", re.DOTALL)
#: What may hold such a line without being one: a text over several lines.
_LONG: Final = re.compile(rb"\"{3}|'{3}|\\\r?\n")


@dataclass
class _File:
    """
    One file of the suite on both sides.
    """

    sayings: tuple[Mapping[str, Saying], Mapping[str, Saying]]
    names: set[str]  # those that may mean something else
    other_stars: bool = False  # whether it takes all names of other files
    speaks_of: set[str] = field(default_factory=set)  # other opened files, by the names of their modules
    looked_for: frozenset[str] = frozenset()  # the names that it was last searched for

    @property
    def gives(self) -> set[str]:
        """
        The names that mean something in other files, too; one that is imported means it only here.
        """
        return {
            name for name in self.names if any(not one[name].is_import for one in self.sayings if name in one)
        }


class Ground:
    """
    What the tests of both sides stand on.

    ``files`` are those that the patch changed, and those of the suite whose names may mean something else
    with them.  Names are followed as words: a fixture, an import and a plugin all say what they lead to.
    Of the changed files of the ``product`` only the constants count that ask for the machine: what the
    condition of a skip means.
    """

    def __init__(self, old: Sources, new: Sources, changed: Iterable[str], product: Iterable[str]) -> None:
        self.sides = (old, new)
        #: The words by which head's configuration leaves tests out.
        self._selecting = WORD.findall(_BY_MARK.sub("", str(new.layout.pytest.options.get("addopts", ""))))
        self.files: dict[str, _File] = {}
        self._words: dict[str, frozenset[str]] = {}
        self._answers: dict[tuple[str, str], bool] = {}
        self._classes: dict[tuple[ast.AST | None, ast.AST | None], frozenset[str] | None] = {}
        self._meant: dict[str, frozenset[str]] = {}
        self._add({path: file for path in product if (file := self._switches(path)).names})
        self._add({path: self._read(path) for path in changed})
        while followers := self._followers():
            self._add({path: self._read(path) for path in followers})
            self._answers.clear()  # more names may mean something else by now

    def _read(self, path: str) -> _File:
        before, after = (sayings_of(side, side.module(path)) for side in self.sides)
        return _File((before, after), _unlike(before, after), before.get(STARS) != after.get(STARS))

    def _switches(self, path: str) -> _File:
        """
        Return the constants of a product's file that ask for the machine, and may do so in another way.
        """
        texts = [side.tree.read(path) or b"" for side in self.sides]
        rests = list(map(_outside, texts))
        if not any(map(_MACHINE.search, texts)) or rests[0] == rests[1] != b"":
            return _File(({}, {}), set())
        modules = [(side, _margin(side, path, rest)) for side, rest in zip(self.sides, rests, strict=True)]
        before, after = (
            {name: said for name, said in sayings_of(side, module).items() if name in module.constants}
            if module is not None
            else {}
            for side, module in modules
        )
        return _File((before, after), _unlike(before, after))

    def _add(self, files: dict[str, _File]) -> None:
        self.files |= files
        stems = {path: _stem(path) for path in self.files}
        for path, file in self.files.items():
            led_to = frozenset().union(*(leads(side, path) for side in self.sides))
            file.speaks_of = {other for other, stem in stems.items() if other != path and stem in led_to}

    def _said(self, path: str) -> frozenset[str]:
        """
        Return the words of a file on either side.
        """
        if path not in self._words:
            texts = {side.tree.read(path) or b"" for side in self.sides}
            said = (WORD.findall(text.decode("utf-8", "replace")) for text in texts)
            self._words[path] = frozenset().union(*said)
        return self._words[path]

    def _spells(self, path: str, text: bytes) -> bool:
        return any(text in (side.tree.read(path) or b"") for side in self.sides)

    def _seen(self, path: str, speaks_of: Iterable[str]) -> set[str]:
        """
        Return the opened files whose names can mean something in a file: what it speaks of, and so on.
        """
        found = {path}
        todo = [*speaks_of, *(one for one in _conftests(path) if one in self.files)]
        while todo:
            one = todo.pop()
            if one not in found:
                found.add(one)
                todo += self.files[one].speaks_of
        return found

    def words(self, path: str) -> frozenset[str]:
        """
        Return the names that may mean something else in a file.
        """
        file = self.files.get(path)
        own = file.names if file is not None else set()
        return self._words_of(path, own, file.speaks_of if file is not None else ())

    def _words_of(self, path: str, own: set[str], speaks_of: Iterable[str]) -> frozenset[str]:
        words = own.union(*(self.files[one].gives for one in self._seen(path, speaks_of) - {path}))
        asking = [
            (one.name, {arg.arg for arg in (*one.node.args.args, *one.node.args.kwonlyargs)})
            for side in self.sides
            for conftest in (side.conftests(path) if words else ())
            for one in fixtures_in(side, conftest)
        ]  # a fixture further up may ask for one that is another one here
        while more := {name for name, asked in asking if name not in words and not words.isdisjoint(asked)}:
            words |= more
        return frozenset(words)

    def _grow(self, path: str) -> bool:
        """
        Add what says a changed name; the answer tells whether there was anything.
        """
        file, words = self.files[path], self.words(path)
        if words == file.looked_for:
            return False
        file.looked_for = words
        collects = any(side.collects(path) for side in self.sides)
        more = {
            name
            for sayings in file.sayings
            for name, saying in sayings.items()
            if name not in file.names
            and not (collects and any(map(is_test, saying.nodes)))
            and not words.isdisjoint(saying.words)
        }
        file.names |= more
        return bool(more)

    def _followers(self) -> list[str]:
        """
        Return the files of the suite, not opened yet, in which a changed name of support code is said.
        """
        while any([self._grow(path) for path in self.files]):  # noqa: C419  # each of them has its turn
            pass
        support = {
            path: _stem(path)
            for path, file in self.files.items()
            if file.gives and any(not side.collects(path) for side in self.sides)
        }
        found: list[str] = []
        if not support:
            return found
        spelt = [stem.encode() for stem in support.values()]
        everything = dict.fromkeys(path for side in self.sides for path in side.tree.under(""))
        folders = [path.rpartition("/")[0] for path, stem in support.items() if stem == "conftest"]
        stems = set(support.values()) - {"conftest"}
        for path in everything:
            if (
                path in self.files
                or not path.endswith(".py")
                or not (stems or any(is_below(path, folder) for folder in folders))
                or not any(side.layout.is_suite(path) for side in self.sides)
            ):
                continue
            near = any(one in self.files for one in _conftests(path))
            if not near and not any(self._spells(path, stem) for stem in spelt):
                continue  # quicker than to look at all its words
            said = self._said(path)
            spoken = [other for other, stem in support.items() if stem in said]
            words = self._words_of(path, set(), spoken)
            if (
                not words.isdisjoint(said)
                or any(self.is_all_told(one) for one in _conftests(path) if one in self.files)
                or (spoken and any(_HANDS_ON.search(side.tree.read(path) or b"") for side in self.sides))
            ):
                found.append(path)
        return found

    def is_all_told(self, path: str) -> bool:
        """
        Return whether something may have changed for every test of a file, or below a conftest.
        """
        return any(
            self._once(question, one, answer)
            for one in (path, *_conftests(path))
            if one in self.files
            for question, answer in (("import", self._imports_differ), ("asks", self._asks_differ))
        )

    def _once(self, question: str, path: str, answer: Callable[[str], bool]) -> bool:
        key = (question, path)
        if key not in self._answers:
            self._answers[key] = answer(path)
        return self._answers[key]

    def _imports_differ(self, path: str) -> bool:
        file = self.files[path]
        if CASES in file.names or file.other_stars:
            return True
        return IMPORT in file.names and differ(
            at_import(side, module) if (module := side.module(path)) is not None else None
            for side in self.sides
        )

    def _asks_differ(self, path: str) -> bool:
        """
        Return whether a fixture that runs unasked does something else.
        """
        words = self.words(path)
        found = [(side, asked(side, path, words)) for side in self.sides]
        return any(
            differ(felt(side, path, mine[name]) if name in mine else None for side, mine in found)
            for name in sorted(found[0][1].keys() | found[1][1].keys())
        )

    def _settled(self, path: str) -> frozenset[str]:
        if path not in self._meant:
            self._meant[path] = self.words(path)
        return self._meant[path]

    def touches(self, before: Test, after: Test) -> bool:
        """
        Return whether a test that both sides collect may say something else.
        """
        path = before.home.path
        if self.is_all_told(path):
            return True
        (own, marks), (other, remarks) = map(said_by, self.sides, (before, after))
        if not _all_like(own, other):
            return True
        if not _all_like(marks, remarks) and (
            marked(self.sides[0], before, self._selecting) != marked(self.sides[1], after, self._selecting)
        ):
            return True
        words = frozenset().union(*map(self._settled, {path, before.module.path, after.module.path}))
        if before.owner is not None or after.owner is not None:
            members = self._members(before.owner, after.owner)
            if members is None:
                return True
            words |= members
        words -= {"pytestmark"}  # what it says has been compared
        return any(not words.isdisjoint(one.words) for one in (*own, *other, *marks, *remarks))

    def _members(self, before: Class | None, after: Class | None) -> frozenset[str] | None:
        """
        Return the members of a class that may mean something else; None where each of its tests may.
        """
        key = (before.node if before is not None else None, after.node if after is not None else None)
        if key not in self._classes:
            self._classes[key] = self._changed_members(before, after)
        return self._classes[key]

    def _changed_members(self, before: Class | None, after: Class | None) -> frozenset[str] | None:
        sides = [(one, *one.mro) if one is not None else () for one in (before, after)]
        if len(sides[0]) != len(sides[1]):
            return None
        tables = [[sayings_of_class(one) for one in classes] for classes in sides]
        changed = set().union(*(_unlike(mine, theirs) for mine, theirs in zip(*tables, strict=True)))
        words = changed.union(*(self._settled(one.module.path) for classes in sides for one in classes))
        every = [(name, said) for side in tables for table in side for name, said in table.items()]
        while more := {
            name for name, said in every if name not in changed and not words.isdisjoint(said.words)
        }:
            changed |= more
            words |= more
        if any(name in changed and is_unasked(name, said) for name, said in every):
            return None
        return frozenset(changed)


def _all_like(before: list[Saying], after: list[Saying]) -> bool:
    return len(before) == len(after) and all(map(Saying.is_like, before, after))


def _unlike(before: Mapping[str, Saying], after: Mapping[str, Saying]) -> set[str]:
    """
    Return the names of which the two sides do not say the same.
    """
    names = before.keys() | after.keys()
    return {name for name in names if name not in before or not before[name].is_like(after.get(name))}


def _outside(text: bytes) -> bytes:
    """
    Return what stands outside of all functions and classes; nothing where that cannot be told by its lines.
    """
    rest = _BODY.sub(b"", _DOCSTRING.sub(b"", text))
    return b"" if _LONG.search(rest) else rest


def _margin(side: Sources, path: str, outside: bytes) -> Module | None:
    """
    Return a module with what stands outside of its functions and classes, or all of it.
    """
    try:
        return Module.load(path, outside) if outside else side.module(path)
    except Unparsable:
        return side.module(path)


def _stem(path: str) -> str:
    """
    Return the name that a file is imported by.
    """
    folder, _, name = path.rpartition("/")
    return folder.rpartition("/")[2] if name == "__init__.py" else name.removesuffix(".py")


def _conftests(path: str) -> list[str]:
    """
    Return where the conftest files that speak to a file may be, itself aside.
    """
    return [one for one in conftest_paths(path) if one != path]


def tests_near(sources: Sources, path: str, words: Iterable[str]) -> dict[str, Test]:
    """
    Return the tests that a file of the suite may speak to, of files that say one of the words.
    """
    folder, stem = path.rpartition("/")[0], _stem(path)
    said = [word.encode() for word in words]
    found: dict[str, Test] = {}
    for other in sources.tree.under(folder if stem == "conftest" else ""):
        text = sources.tree.read(other) or b"" if other.endswith(".py") and sources.collects(other) else b""
        near = stem == "conftest" or other == path or stem.encode() in text
        module = sources.module(other) if near and any(word in text for word in said) else None
        found |= tests_in(sources, module) if module is not None else {}
    return found

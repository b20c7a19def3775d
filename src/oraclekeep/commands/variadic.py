"""
Tasks that take any number of bare words: `invoke outcomes A.xml B.xml`, `invoke explain [ROW]`.

Invoke fills a positional argument once, and only where it has no default; it takes the next bare word for a
task's name.  It ignores a list that is declared positional; here such a list takes every bare word.

Importing this module puts `WordsContext` where Invoke's collections look for their parser contexts: `invoke`
copies a namespace into a plain `Collection`, so a subclass of that would serve our own program alone.  Other
tasks parse as before.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import invoke.collection
from invoke.parser.argument import Argument
from invoke.parser.context import ParserContext

from oraclekeep.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


def at_most_one(name: str, words: Sequence[str] | None) -> str:
    """
    Return the one bare word of a task that may do without; empty where there is none.

    Raises `UsageError` where there are more.
    """
    first, *others = words or ("",)
    if others:
        raise UsageError(f"one {name} at a time, not {len(others) + 1}: {first}, {', '.join(others)}")
    return first


class WordsContext(ParserContext):
    """
    A parser context that reads bare words as values of its positional list, if it has one.
    """

    def __init__(
        self, name: str | None = None, aliases: Iterable[str] = (), args: Iterable[Argument] = ()
    ) -> None:
        super().__init__(name, aliases, args)
        words = [argument for argument in self.positional_args if argument.kind is list]
        if words:
            self.flags = _Flags(self.flags, words[0])  # type: ignore[assignment]  # all that the parser uses


class _Flags:
    """
    A context's flags, among which each bare word is a flag that adds itself to the list.

    But for the word after an option that waits for its value: that is the value.
    """

    def __init__(self, flags: Any, words: Argument) -> None:
        self._flags, self._words = flags, words
        self._last: Argument | None = None  # the option that was asked for last

    def __contains__(self, token: str) -> bool:
        if token.startswith("-"):
            return token in self._flags
        return not self._waits()

    def _waits(self) -> bool:
        last = self._last
        return last is not None and last.takes_value and not last.optional and last.raw_value is None

    def __getitem__(self, token: str) -> Argument:
        if token.startswith("-"):
            flag: Argument = self._flags[token]
            self._last = flag
            return flag
        return _Word(token, self._words)

    def keys(self) -> Iterable[str]:
        return [*self._flags.keys()]

    def values(self) -> Iterable[Argument]:
        return [*self._flags.values()]

    def aliases_of(self, name: str) -> list[str]:
        return [*self._flags.aliases_of(name)]


class _Word(Argument):
    """
    A bare word: it takes no value, and seeing it is all it needs.
    """

    def __init__(self, word: str, words: Argument) -> None:
        super().__init__(name="word", kind=bool)
        self._word, self._words = word, words

    def set_value(self, value: object, cast: bool = True) -> None:  # noqa: ARG002  # Invoke's
        self._words.set_value(self._word)


invoke.collection.ParserContext = WordsContext  # type: ignore[attr-defined]  # see above

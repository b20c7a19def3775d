"""
Requirements in the forms in which projects write them, as words for `pip install`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

_NAME: Final = re.compile(r"\s*([A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)")
#: The project itself: `.`, `-e .[test]`, `--editable .`.
_ITSELF: Final = re.compile(r"(?:(?:-e|--editable)[ =]*)?\.(?:/)?(?:\[([^\]]*)\])?\s*(?:#.*)?")
_FILE: Final = re.compile(r"(-r|-c|--requirement|--constraint)[ =]*(\S+)")
_CONDITION: Final = re.compile(r"(?P<factors>[A-Za-z0-9_,{}!.*-]+):\s+(?P<rest>\S.*)")
#: Factors of a matrix that stand for the suite; what only some Pythons or systems need is left out.
_SUITE: Final = frozenset({"test", "tests", "testing", "unit", "unittest", "unittests", "pytest"})
#: Distributions that bring a pytest plugin and aren't called `pytest-…`.
_PLUGINS: Final = frozenset(
    {
        *("hypothesis", "anyio", "syrupy", "inline-snapshot", "requests-mock", "pyfakefs", "time-machine"),
        *("respx", "typeguard", "schemathesis", "nbval"),
    }
)


@dataclass(frozen=True, slots=True)
class Words:
    """
    What to install: words for pip, extras and groups of the project itself.
    """

    words: tuple[str, ...] = ()
    extras: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()


def normal(name: str) -> str:
    """
    Return a distribution's name as registries compare it.
    """
    return re.sub(r"[-_.]+", "-", name).lower()


def name_of(word: str) -> str:
    """
    Return the distribution that a requirement names; empty for an option, a path or a URL.
    """
    found = _NAME.match(word)
    return "" if found is None or "/" in word.partition("@")[0] else normal(found[1])


def plugins_of(words: Iterable[str]) -> tuple[str, ...]:
    """
    Return the distributions among requirements that bring a pytest plugin.
    """
    names = (name_of(word) for word in words if not word.startswith("-"))
    return tuple(dict.fromkeys(name for name in names if name.startswith("pytest-") or name in _PLUGINS))


def lines_of(text: str) -> Iterator[str]:
    """
    Yield the lines of a requirements file or a list in an INI file, joined and without comments.
    """
    for line in re.sub(r"\\\r?\n", " ", text).splitlines():
        bare = re.sub(r"(^|\s)#.*$", "", line).strip()
        if bare:
            yield bare


def chosen(lines: Iterable[str]) -> Iterator[str]:
    """
    Yield what tox would take of lines with conditions where it runs the suite.
    """
    for line in lines:
        under = _CONDITION.match(line)
        if under is None:
            yield line
        elif not _SUITE.isdisjoint(re.split(r"[-,]", re.sub(r"[{}]", "", under["factors"]))):
            yield under["rest"]


def from_lines(lines: Iterable[str]) -> Words:
    """
    Read lines as pip and tox take them.
    """
    words: list[str] = []
    extras: list[str] = []
    for line in chosen(lines):
        line = line.replace("{toxinidir}/", "").replace("{tox_root}/", "")  # noqa: PLW2901  # same line
        itself, file = _ITSELF.fullmatch(line), _FILE.fullmatch(line)
        if itself:
            extras += split(itself[1] or "")
        elif file:
            words += ["-r" if _includes(file) else "-c", file[2]]
        elif line.startswith("-") or "{" in line:
            continue
        else:
            words.append(line)
    return Words(tuple(words), tuple(extras))


def _includes(option: re.Match[str]) -> bool:
    return option[1] in ("-r", "--requirement")


def split(text: str) -> list[str]:
    return [part.strip() for part in re.split(r"[,\n]", text) if part.strip()]


def from_file(path: str, read: Callable[[str], bytes | None]) -> tuple[Words, tuple[str, ...]]:
    """
    Return how to install a requirements file, and all that it asks for, the files that it includes too.

    It is handed to pip by name, unless it installs the project itself: a lane installs another tree of that.
    """
    flat, extras, itself = _flat(path, read, ())
    if itself:
        return Words(flat, extras), flat
    return Words(("-r", path)), flat


def _flat(
    path: str, read: Callable[[str], bytes | None], above: tuple[str, ...]
) -> tuple[tuple[str, ...], tuple[str, ...], bool]:
    words: list[str] = []
    extras: list[str] = []
    itself = False
    for line in lines_of((read(path) or b"").decode("utf-8-sig", "replace")):
        file = _FILE.fullmatch(line)
        if _ITSELF.fullmatch(line):
            itself = True
            extras += from_lines((line,)).extras
        elif file and _includes(file) and path not in above:
            folder = path.rpartition("/")[0]
            inner = _flat(f"{folder}/{file[2]}" if folder else file[2], read, (*above, path))
            words += inner[0]
            extras += inner[1]
            itself = itself or inner[2]
        elif not line.startswith("--"):
            words += from_lines((line,)).words
    return tuple(words), tuple(extras), itself


# ------------------------------------------------------------------------------------- Poetry's own notation


def from_poetry(table: Mapping[str, Any]) -> tuple[str, ...]:
    """
    Return requirements as pip takes them from a table in the notation of Poetry or Pipenv.
    """
    return tuple(
        word for name, value in table.items() if name != "python" for word in _poetry_words(name, value)
    )


def _poetry_words(name: str, value: Any) -> Iterator[str]:
    if isinstance(value, list):
        for each in value:
            yield from _poetry_words(name, each)
    elif isinstance(value, str):
        yield name + _specifier(value)
    elif isinstance(value, dict) and "path" not in value:
        extras = f"[{','.join(value['extras'])}]" if value.get("extras") else ""
        marks = [str(value["markers"])] if value.get("markers") else []
        if python := _python_marker(str(value.get("python", ""))):
            marks.append(python)
        if "git" in value:
            at = next((f"@{value[key]}" for key in ("rev", "tag", "branch", "ref") if value.get(key)), "")
            what = f"{name}{extras} @ git+{value['git']}{at}"
        elif "url" in value:
            what = f"{name}{extras} @ {value['url']}"
        else:
            what = f"{name}{extras}{_specifier(str(value.get('version', '*')))}"
        yield what + (f" ; {' and '.join(marks)}" if marks else "")


def _specifier(text: str) -> str:
    """
    Write `^1.2`, `~1.2`, `1.2` and `*` as pip has them; alternatives (`||`) are left open.
    """
    if "|" in text:
        return ""
    return ",".join(part for one in text.split(",") if (part := _one_specifier(one.strip())))


def _one_specifier(text: str) -> str:
    if text in ("", "*"):
        return ""
    if text[0] in "^~" and not text.startswith("~="):
        version = text[1:].strip()
        numbers = [int(part) for part in re.findall(r"\d+", version.partition("-")[0])] or [0]
        return f">={version},<{_ceiling(numbers, caret=text[0] == '^')}"
    return text if text[0] in "<>=!~" else f"=={text}"


def _ceiling(numbers: list[int], *, caret: bool) -> str:
    """
    Return the first version that `^` or `~` keeps out.
    """
    at = min(1, len(numbers) - 1)
    if caret:
        at = next((index for index, number in enumerate(numbers) if number), len(numbers) - 1)
    return ".".join(map(str, [*numbers[:at], numbers[at] + 1]))


def _python_marker(text: str) -> str:
    specifier = _specifier(text)
    found = re.findall(r"(<=|>=|==|!=|<|>)\s*([\d.]+)", specifier)
    return " and ".join(f'python_version {operator} "{version}"' for operator, version in found)

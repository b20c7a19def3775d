"""
The commands of a page of the documentation, and a shell that runs them as a reader would.

A `console` block holds lines `$ COMMAND`, each with the output that it shows below; `…` stands for anything.
`# exit N` behind a command says how it ends.  A block after `<!-- slow -->` needs environments and minutes.
The front matter says where the commands run (`runs:`), and on which day (`today:`) those that ask for one.
"""

from __future__ import annotations

import re
import subprocess
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from pathlib import Path

_BLOCK = re.compile(r"(<!-- slow -->\n)?^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_END = re.compile(r"@@end (\d+)@@\n")


@dataclass(frozen=True)
class Command:
    """
    One command with what the page shows of its output.
    """

    line: str
    shown: tuple[str, ...]
    exit_code: int
    is_slow: bool


@dataclass(frozen=True)
class Done:
    """
    What a command left in truth.
    """

    command: Command
    exit_code: int
    output: str

    def faults(self) -> list[str]:
        """
        Return what differs from the page.
        """
        wrong = []
        if self.exit_code != self.command.exit_code:
            wrong.append(f"exit {self.exit_code}, not {self.command.exit_code}")
        at = 0
        for line in self.command.shown:
            pattern = r".*?".join(map(re.escape, line.strip().split("…")))
            found = re.compile(pattern).search(self.output, at)
            if found is None:
                wrong.append(f"no line {line.strip()!r} (from here on)")
            else:
                at = found.end()
        return [f"$ {self.command.line}: {each}\n{self.output}" for each in wrong]


def kind_of(page: str) -> str:
    """
    Return where a page's commands run, as its front matter says.
    """
    return _front(page, "runs")


def _front(page: str, key: str) -> str:
    front = re.match(r"---\n(.*?)^---\n", page, re.MULTILINE | re.DOTALL)
    found = re.search(rf"^{key}: (\S+)$", front[1], re.MULTILINE) if front else None
    return found[1] if found else ""


def commands_in(page: str, dated: Collection[str] = ()) -> list[Command]:
    """
    Return a page's commands; those of the ``dated`` tasks are given the page's day.
    """
    found: list[Command] = []
    day = _front(page, "today")
    for match in _BLOCK.finditer(page):
        for line in match[2].splitlines():
            if line.startswith("$ "):
                code = re.search(r"\s+# exit (\d+)$", line)
                command = line[2 : code.start()] if code else line[2:]
                task = re.match(r"oraclekeep (\S+)", command)
                if day and task and task[1] in dated and "--today" not in command:
                    command += f" --today {day}"
                found.append(Command(command, (), int(code[1]) if code else 0, bool(match[1])))
            elif line.strip():
                last = found[-1]
                found[-1] = Command(last.line, (*last.shown, line), last.exit_code, last.is_slow)
    return found


def run(commands: Sequence[Command], folder: Path, env: Mapping[str, str]) -> list[Done]:
    """
    Run the commands one after the other in one shell, whatever each of them says.
    """
    script = "".join(f"{one.line} </dev/null\nprintf '@@end %d@@\\n' $?\n" for one in commands)
    shell = subprocess.run(
        ["bash"], input=script.encode(), cwd=folder, env=dict(env), stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, check=False,
    )  # fmt: skip
    *parts, rest = _END.split(shell.stdout.decode("utf-8", "replace"))
    outputs, codes = parts[::2], parts[1::2]
    assert len(outputs) == len(commands), f"the shell ended early: {rest}"
    return [Done(one, int(code), output) for one, code, output in zip(commands, codes, outputs, strict=True)]

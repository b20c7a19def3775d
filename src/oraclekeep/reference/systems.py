"""
How the gate comes into each CI system: the page that compares the templates, and each template itself.
"""

from __future__ import annotations

import re
from typing import Final

from oraclekeep.adopting.kitfiles import kit_file
from oraclekeep.adopting.systems import SYSTEMS, System

_LANGUAGES: Final = {".yml": "yaml"}


def systems_page(comparison: str) -> str:
    """
    Return the comparison, which lies beside the templates, and a section for each system.
    """
    title, _, rest = comparison.partition("\n")
    plain = re.sub(
        r"\[([^\]]+)\]\((?!https?:)[^)]*\)", r"\1", rest
    )  # what it links to is not among the pages
    return f"{title}\n{plain}\n" + "".join(map(_section, SYSTEMS.values()))


def _section(system: System) -> str:
    text = kit_file(system.template)
    language = next((name for end, name in _LANGUAGES.items() if system.template.endswith(end)), "groovy")
    place = (
        f"`{system.entry}`, where there is none yet, else `{system.target}`"
        if system.entry
        else f"`{system.target}`"
    )
    join = f" Then {system.join}." if system.join else ""
    return (
        f"\n## {system.name}\n\n`oraclekeep init --ci {system.name}` writes {place}.{join}\n\n"
        f'??? example "{system.template}"\n\n    ```{language}\n'
        + "".join(f"    {line}\n" if line else "\n" for line in text.splitlines())
        + "    ```\n"
    )

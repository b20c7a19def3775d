"""
`propose`, through the real program: what it thinks of and leaves alone, whom it asks, where it writes.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from tests.conftest import WHO, GitRepo

from .program import Answer
from .program import run as program

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

ADOPTED = {
    "pyproject.toml": '[project]\nname = "shop"\nversion = "1"\n',
    "oracle/gate.yaml": "source: [src]\ntests: [tests]\n",
    "oracle/weights.json": "{}\n",
    "invariants/inventory.yaml": "version: 1\nproperties:\nfreezes:\n",
    "src/shop/__init__.py": "",
    "tests/test_shop.py": "def test_nothing_secret():\n    assert 1\n",
}
CANDIDATES = "invariants/proposed"
ROOT = Path(__file__).resolve().parents[1]


def propose(repo: GitRepo, *words: str, env: dict[str, str] | None = None) -> Answer:
    return program(repo.root, *words, task="propose", env=env)


def queued(repo: GitRepo) -> list[str]:
    return sorted(
        path.relative_to(repo.root / CANDIDATES).as_posix()
        for path in (repo.root / CANDIDATES).rglob("*")
        if path.is_file()
    )


@pytest.fixture
def repo(make_repo: Callable[..., GitRepo]) -> GitRepo:
    made = make_repo()
    made.commit(ADOPTED)
    return made


# ---------------------------------------------------------------------------- one patch, many functions

BEFORE = """\
def halves(number: int) -> int:
    return number // 2


def area(side: int) -> int:
    return side * side


def untouched(text: str) -> str:
    return text
"""
AFTER = '''\
from __future__ import annotations

import random
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal, NewType

from shop.faults import Refused

Slug = NewType("Slug", str)
LIMIT = 3


def halves(number: int) -> int:
    return number >> 1


def area(side: int) -> int:
    return abs(side * side * side)


def untouched(text: str) -> str:
    return text


def clean(text: str) -> str:
    return " ".join(text.split())


def slugify(text: str) -> Slug:
    return Slug(text.lower().replace(" ", "-"))


def normalise(text: str) -> str:
    return text + "!"


def sort_words(words: Sequence[str]) -> list[str]:
    return sorted(words)


def unique(numbers: list[int]) -> list[int]:
    return [*dict.fromkeys(numbers), 5]


def encode(text: str) -> bytes:
    return text.encode()


def decode(data: bytes) -> str:
    return data.decode()


def to_hex(number: int) -> str:
    return hex(number)


def from_hex(text: str) -> int:
    return int(text, 16)


def celsius_to_kelvin(degrees: float) -> float:
    return degrees + 273


def kelvin_to_celsius(degrees: float) -> float:
    return degrees - 274


def slow_total(numbers: list[int]) -> int:
    total = 0
    for number in numbers:
        total += number
    return total


def fast_total(numbers: list[int]) -> int:
    return sum(numbers)


def gcd(one: int, two: int) -> int:
    while two:
        one, two = two, one % two
    return abs(one)


def clamp(lo: int, hi: int, x: int) -> int:
    return max(lo, min(hi, x))


def grade(level: Literal["low", "high"]) -> int:
    return {"low": 1, "high": 2}[level]


def port(text: str = "80") -> int:
    """
    Read a port, as in `8080`.

    >>> port("443")
    443
    """
    if not text.isdigit():
        raise ValueError(text)
    if int(text) > 65535:
        raise Refused(text)
    return int(text)


def strict(text: str) -> str:
    if text not in ("yes", "no"):
        raise Refused(text)
    return text


def stamp(text: str) -> str:
    return f"{text} {time.time()}"


def shuffled_word(text: str) -> str:
    return "".join(random.Random().sample(text, len(text)))


def wipe(folder: str) -> str:
    return str(_inner(folder))


def _inner(folder: str) -> int:
    return Path(__file__).with_name(folder).write_text("gone")


def later(text: str) -> Iterator[str]:
    yield text


async def soon(text: str) -> str:
    return text


def show(text: str) -> None:
    print(text)


def two(first: str, second: int) -> str:
    return first * second


def ask(text: str) -> str:
    import getpass as hidden

    return hidden.getpass(text)


def edit(text: str) -> str:
    from .faults import Editor

    return Editor().run(text)


def maker(text: str):
    def inner() -> str:
        return text

    return inner


def loose(thing) -> str:
    return str(thing)


def raw(data: bytes) -> int:
    return len(data)


def _private(text: str) -> str:
    return text


class Label:
    @staticmethod
    def tidy(text: str) -> str:
        return text.strip()

    @classmethod
    def parse(cls, text: str) -> int:
        return LIMIT + len(text)

    def method(self, text: str) -> str:
        return text
'''
FAULTS = (
    "import subprocess\n\n\nclass Refused(Exception):\n    pass\n\n\n"
    "class Editor:\n    def run(self, text: str) -> str:\n        return str(subprocess.run([text]))\n"
)


@pytest.fixture(scope="module")
def answer(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Any]]:
    """
    One run over one patch; the tests below look at parts of its answer.
    """
    with pytest.MonkeyPatch.context() as patched:
        for name in [name for name in os.environ if name.startswith("GIT_")]:
            patched.delenv(name)
        for name, value in {**WHO, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}.items():
            patched.setenv(name, value)
        made = GitRepo(tmp_path_factory.mktemp("shop"))
        made.git("init", "--quiet", "--initial-branch", "main")
        made.commit(ADOPTED | {"src/shop/core.py": BEFORE, "src/shop/_hidden.py": "", "src/shop/open.py": ""})
        made.commit(
            {
                "src/shop/core.py": AFTER,
                "src/shop/faults.py": FAULTS,
                "src/shop/__init__.py": "from shop._hidden import trim\n",
                "src/shop/_hidden.py": "def trim(text: str) -> str:\n    return text.strip()\n\n\n"
                "def inside(text: str) -> str:\n    return text\n",
                "src/shop/open.py": "__all__ = ['said']\n\n\n"
                "def said(text: str) -> str:\n    return text\n\n\n"
                "def unsaid(text: str) -> str:\n    return text\n",
                "src/shop/__main__.py": "def run(text: str) -> str:\n    return text\n",
            }
        )
        found = program(made.root, "--json", task="propose")
        assert found.code == 0, found.err
        yield {**found.document, "repo": made, "text": program(made.root, "--dry-run", task="propose").out}


#: id -> (class, a part of what is said or of where the samples come from, worth)
EXPECTED = {
    "halves_keeps_its_answers": ("pass", "`int`", "keep"),
    "area_keeps_its_answers": ("invariant_miss", "matches_expected: sample", "look"),
    "clean_is_idempotent": ("pass", "`str`", "keep"),
    "slugify_is_idempotent": ("pass", "`str`", "keep"),
    "normalise_is_idempotent": ("invariant_miss", "idempotent: sample", "look"),
    "sort_words_is_idempotent": ("pass", "`list[str]`", "keep"),
    "sort_words_is_sorted": ("pass", "`list[str]`", "keep"),
    "sort_words_keeps_length": ("pass", "`list[str]`", "keep"),
    "unique_adds_nothing": ("invariant_miss", "holds 5, which is not in the sample", "look"),
    "decode_undoes_encode": ("pass", "`str`", "keep"),
    "from_hex_undoes_to_hex": ("pass", "`int`", "keep"),
    "kelvin_to_celsius_undoes_celsius_to_kelvin": ("invariant_miss", "inverse_of: sample", "look"),
    "fast_total_equals_slow_total": ("pass", "`list[int]`", "keep"),
    "gcd_is_commutative": ("pass", "`int`", "keep"),
    "gcd_is_associative": ("pass", "`int`", "keep"),
    "clamp_stays_in_range": ("pass", "bounds", "keep"),
    "grade_never_raises": ("pass", "Literal['low', 'high']", "cheap"),
    "port_raises_only": ("pass", "its docstring and `str`", "cheap"),
    "port_is_deterministic": ("pass", "its docstring and `str`", "cheap"),
    "strict_raises_only": ("pass", "`str`", "cheap"),
    "stamp_is_deterministic": ("protocol_error", "live clock: time.time()", "mend"),
    "shuffled_word_is_deterministic": ("protocol_error", "random", "mend"),
    "from_hex_never_raises": ("invariant_miss", "ValueError", "look"),
    "to_hex_never_raises": ("pass", "`int`", "cheap"),
    "Label_tidy_is_idempotent": ("pass", "`str`", "keep"),
    "Label_parse_never_raises": ("pass", "`str`", "cheap"),
    "trim_is_idempotent": ("pass", "`str`", "keep"),
    "said_never_raises": ("pass", "`str`", "cheap"),
}


@pytest.mark.parametrize("ident", EXPECTED)
def test_each_candidate_is_run_and_says_its_class(answer: dict[str, Any], ident: str) -> None:
    status, part, worth = EXPECTED[ident]
    found = {one["id"]: one for one in answer["candidates"]}[ident]

    assert (status, worth) == (found["status"], found["worth"])
    assert part in found["detail"] + found["samples"]


def test_the_samples_of_a_docstring_come_first_and_refused_ones_serve_no_law(answer: dict[str, Any]) -> None:
    rows = {one["id"]: one for one in answer["candidates"]}
    wide, narrow = (
        json.loads((answer["repo"].root / rows[ident]["fixture"]).read_text())
        for ident in ("port_raises_only", "port_is_deterministic")
    )

    assert {"80", "443", "8080", "", "a,b;c"} <= {*wide}
    assert {"80", "443", "8080", "0042"} == {*narrow}


LEFT_OUT = {
    "shop.core.wipe": "write_text, which reaches beyond the process",
    "shop.core.later": "it is a generator function",
    "shop.core.soon": "it is async",
    "shop.core.show": "it returns nothing",
    "shop.core.two": "it needs 2 arguments",
    "shop.core.loose": "thing has no annotation",
    "shop.core.ask": "it calls getpass.getpass, which reaches beyond the process",
    "shop.core.edit": "it calls subprocess.run",
    "shop.core.maker": "it makes a function",
    "shop.core.raw": "a strategy in invariants/strategies.py",
    "shop.core.strict": "it refuses every sample of `str`, so no law was tried (Refused: ",
}


@pytest.mark.parametrize("name", LEFT_OUT)
def test_what_is_left_out_is_named_with_a_reason(answer: dict[str, Any], name: str) -> None:
    assert LEFT_OUT[name] in {one["name"]: one["why"] for one in answer["left_out"]}[name]


@pytest.mark.parametrize("name", ["untouched", "_private", "method", "inside", "unsaid", "run", "wipe"])
def test_nothing_is_proposed_for_what_did_not_change_or_is_not_public(
    answer: dict[str, Any], name: str
) -> None:
    assert name not in {one["fn"].rpartition(".")[2] for one in answer["candidates"]}


def test_a_private_module_is_reached_through_the_package_that_hands_its_function_on(
    answer: dict[str, Any],
) -> None:
    modules = {one["fn"]: one["module"] for one in answer["candidates"]}

    assert modules["trim"] == "shop"
    assert modules["clean"] == "shop.core"


def test_all_land_in_files_that_the_schema_takes_and_no_function_wrote_into_the_tree(
    answer: dict[str, Any],
) -> None:
    repo = answer["repo"]
    status = repo.git("status", "--porcelain", "--untracked-files=all").splitlines()
    yaml = (repo.root / CANDIDATES / "shop.core.yaml").read_text()

    assert all(line.startswith(f"?? {CANDIDATES}/") for line in status)
    assert sorted(answer["files"]) == sorted(line[3:] for line in status)
    assert yaml.startswith("# Candidates of `oraclekeep propose` for ")
    assert "    checks:\n      - inverse_of: {function: shop.core.encode}\n" in yaml


def test_the_page_names_every_check_that_was_thought_of(answer: dict[str, Any]) -> None:
    page = (ROOT / "docs/proposals.md").read_text()

    assert all(f"`{call['name']}`" in page for one in answer["candidates"] for call in one["checks"])


def test_a_second_run_says_nothing_twice(answer: dict[str, Any]) -> None:
    """
    The second run found every candidate in the files of the first.
    """
    assert answer["text"].startswith("0 candidates for ")
    assert "said already:" in answer["text"]
    assert "shop.core.clean: clean_is_idempotent" in answer["text"]


def test_candidates_are_a_note_of_no_points_and_make_no_patch_mixed(answer: dict[str, Any]) -> None:
    """
    An agent's patch that carries them stays one, an owner's stays an owner's.
    """
    repo = answer["repo"]
    repo.git("checkout", "--quiet", "-b", "queue")
    repo.commit()
    carried = program(repo.root, "--base", "main", "--json").document
    repo.commit({"src/shop/core.py": AFTER + "\n\nX = 1\n"})
    agents = program(repo.root, "--base", "main", "--json").document
    repo.git("checkout", "--quiet", "queue~1")
    repo.commit({"oracle/weights.json": '{"assert_removed": 2}\n'})
    owners = program(repo.root, "--base", "main", "--json").document
    repo.git("checkout", "--quiet", "main")

    assert [one["patch"] for one in (carried, agents, owners)] == ["agent", "agent", "owner"]
    assert [one["score"] for one in (carried, agents, owners)] == [0, 0, 0]
    for one in (carried, agents, owners):
        notes = [each for each in one["findings"] if each["rule"] == "untrusted-proposal"]
        assert len(notes) == len(answer["candidates"])
        assert {(each["points"], each["gate"]) for each in notes} == {(0, "note")}


# -------------------------------------------------------------------------------------- smaller patches


def test_samples_come_from_frozen_fixtures_where_they_speak_of_the_parameter(repo: GitRepo) -> None:
    """
    A column of its name; a file called like the module; the fixture of a property of the function.
    """
    rows = '[{"code": "B-1", "n": 2}, {"code": "B-2", "n": 3}]\n'
    prop = (
        "{id: p, module: shop.core, fn: total, seed: 1, fixture: tests/fixtures/rows.json, note: n, "
        "checks: [deterministic]}"
    )
    repo.commit(
        {
            "tests/fixtures/rows.json": rows,
            "tests/fixtures/orders.json": '[{"id": 1}, {"id": 2}]\n',
            "invariants/inventory.yaml": f"version: 1\nproperties:\n  - {prop}\n",
            "src/shop/core.py": "def total(row: dict) -> int:\n    return 1\n",
        }
    )
    repo.commit(
        {
            "src/shop/core.py": "def total(row: dict) -> int:\n    return row['n']\n\n\n"
            "def code_of(code: str) -> str:\n    return code[0]\n",
            "src/shop/orders.py": "def ident(order: dict) -> int:\n    return order['id']\n",
        }
    )
    found = {one["id"]: one for one in propose(repo, "--json").document["candidates"]}

    assert found["code_of_is_deterministic"]["samples"] == "code in tests/fixtures/rows.json"
    assert found["code_of_never_raises"]["status"] == "pass"
    assert found["ident_never_raises"]["fixture"] == "tests/fixtures/orders.json"
    assert found["total_never_raises"]["fixture"] == "tests/fixtures/rows.json"
    assert "total_is_deterministic" not in found  # property p says it


def test_what_a_changed_helper_or_constant_reaches_has_changed(repo: GitRepo) -> None:
    code = "LIMIT = {}\n\n\ndef _half(n: int) -> int:\n    return n // LIMIT\n\n\n"
    more = "def halves(n: int) -> int:\n    return _half(n)\n\n\ndef other(n: int) -> int:\n    return n\n"
    repo.commit({"src/shop/core.py": code.format(2) + more})
    repo.commit({"src/shop/core.py": code.format(4) + more})
    found = propose(repo, "--json").document["candidates"]

    assert {one["fn"] for one in found} == {"halves"}
    assert {one["id"]: one["status"] for one in found}["halves_keeps_its_answers"] == "invariant_miss"


def test_comments_docstrings_tests_and_moves_propose_nothing(repo: GitRepo) -> None:
    repo.commit({"src/shop/core.py": "def same(n: int) -> int:\n    return n\n"})
    repo.commit(
        {
            "src/shop/core.py": "# new\ndef same(n: int) -> int:\n    'Say it.'\n    return n\n",
            "tests/test_shop.py": "def helper(n: int) -> int:\n    return n\n",
        }
    )
    answer = propose(repo)

    assert answer.code == 0
    assert answer.out.startswith("0 candidates")
    assert queued(repo) == []


def test_functions_run_in_a_scratch_copy_with_what_a_build_left(repo: GitRepo) -> None:
    """
    A file that Git ignores can be imported; what a function writes through the back door stays in the copy.
    """
    repo.commit({".gitignore": "_version.py\n.gate/\n"})
    (repo.root / "src/shop/_version.py").write_text("V = 'v1'\n")
    repo.commit(
        {
            "src/shop/core.py": "import io\nfrom shop._version import V\n\n\n"
            "def tag(text: str) -> str:\n    getattr(io, 'op' + 'en')('marker.txt', 'w').close()\n"
            "    return V + text\n"
        }
    )
    found = {one["id"]: one for one in propose(repo, "--json").document["candidates"]}

    assert found["tag_never_raises"]["status"] == "pass"
    assert not (repo.root / "marker.txt").exists()


def test_a_single_module_and_a_package_at_the_root_are_found(make_repo: Callable[..., GitRepo]) -> None:
    clean = "def clean(text: str) -> str:\n    return text.strip()\n"
    for name, path in (("one", "six.py"), ("two", "shop/core.py")):
        made = make_repo(name)
        package = {} if name == "one" else {"shop/__init__.py": ""}
        made.commit({"oracle/weights.json": "{}", path: "X = 1\n", **package})
        made.commit({path: clean})
        found = propose(made, "--json").document["candidates"]

        assert {one["status"] for one in found} == {"pass"}, found


def test_another_head_and_the_working_copy_can_be_looked_at(repo: GitRepo) -> None:
    repo.git("checkout", "--quiet", "-b", "patch")
    repo.commit({"src/shop/core.py": "def clean(text: str) -> str:\n    return text.strip()\n"})
    repo.git("checkout", "--quiet", "main")
    other = propose(repo, "--base", "main", "--head", "patch", "--dry-run", "--json").document
    repo.write({"src/shop/more.py": "def tidy(text: str) -> str:\n    return text.strip()\n"})
    here = propose(repo, "--base", "main", "--worktree", "--json").document

    assert {one["fn"]: one["status"] for one in other["candidates"]} == {"clean": "pass"}
    assert {one["fn"] for one in here["candidates"]} == {"tidy"}
    assert queued(repo)[0] == "samples/shop.more.tidy.json"


def test_nobodys_file_is_overwritten_and_ids_are_taken_once(repo: GitRepo) -> None:
    row = "{id: tidy_is_idempotent, module: shop.x, fn: f, seed: 1, strategy: s, checks: []}"
    mine = f"# mine\nproperties:\n  - {row}\n"
    repo.write({f"{CANDIDATES}/shop.more.yaml": mine, f"{CANDIDATES}/bad.yaml": "properties: [{id: x}]\n"})
    repo.write({f"{CANDIDATES}/samples/shop.more.tidy.json": "[1]\n"})
    repo.commit({"src/shop/more.py": "def tidy(text: str) -> str:\n    return text.strip()\n"})
    answer = propose(repo, "--json").document

    assert (repo.root / CANDIDATES / "shop.more.yaml").read_text() == mine
    assert (repo.root / CANDIDATES / "samples/shop.more.tidy.json").read_text() == "[1]\n"
    assert f"{CANDIDATES}/shop.more-2.yaml" in answer["files"]
    assert answer["candidates"][0]["id"] == "more_tidy_is_idempotent"
    assert answer["candidates"][0]["fixture"] == f"{CANDIDATES}/samples/shop.more.tidy-2.json"
    assert any("key 'module' is missing" in one for one in answer["unreadable"])


def test_only_what_holds_can_be_written(repo: GitRepo) -> None:
    repo.commit({"src/shop/core.py": "def normalise(text: str) -> str:\n    return text + '!'\n"})
    answer = propose(repo, "--only-green", "--json").document

    assert {one["id"]: bool(one["file"]) for one in answer["candidates"]} == {
        "normalise_is_idempotent": False,
        "normalise_never_raises": True,
        "normalise_is_deterministic": True,
    }


@pytest.mark.parametrize("link", [CANDIDATES, f"{CANDIDATES}/samples", "invariants"])
def test_a_folder_behind_a_link_is_not_written_to(repo: GitRepo, tmp_path: Path, link: str) -> None:
    (tmp_path / "elsewhere").mkdir()
    if link == "invariants":
        repo.commit({"invariants/inventory.yaml": None})
    if (repo.root / link).is_dir():
        (repo.root / link).rmdir()
    (repo.root / link).parent.mkdir(exist_ok=True)
    (repo.root / link).symlink_to(tmp_path / "elsewhere")
    repo.commit({"src/shop/core.py": "def clean(text: str) -> str:\n    return text.strip()\n"})
    answer = propose(repo)

    assert answer.code == 2
    assert "is a link" in answer.err
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_a_file_that_does_not_parse_is_said(repo: GitRepo) -> None:
    repo.commit({"src/shop/core.py": "def clean(text: str) -> str\n"})

    assert "src/shop/core.py: it does not parse" in propose(repo).out


def test_an_endless_function_and_a_module_that_ends_the_import_are_left_out_once(repo: GitRepo) -> None:
    code = "def clean(text: Literal['a']) -> str:\n    while text:\n        pass\n    return text\n"
    repo.commit(
        {
            "src/shop/core.py": "from typing import Literal\n\n\n" + code,
            "src/shop/gone.py": "import nonesuch\n\n\ndef tidy(text: str) -> str:\n    return text\n",
        }
    )
    answer = propose(repo, "--json").document
    left = {one["name"]: one["why"] for one in answer["left_out"]}

    assert answer["candidates"] == []
    assert len(left) == len(answer["left_out"]) == 2
    assert "no answer within 10 s" in left["shop.core.clean"]
    assert "shop.gone can't be imported: ModuleNotFoundError" in left["shop.gone.tidy"]


USAGE = [
    (["--timeout", "0"], "more than 0 seconds"),
    (["--base", "nowhere"], "no commit named 'nowhere'"),
    (["--head", "nowhere"], "no commit named 'nowhere'"),
]


@pytest.mark.parametrize(("words", "said"), USAGE)
def test_what_makes_no_sense_is_refused(repo: GitRepo, words: list[str], said: str) -> None:
    repo.commit({"src/shop/core.py": "def clean(text: str) -> str:\n    return text.strip()\n"})
    answer = propose(repo, *words)

    assert answer.code == 2
    assert said in answer.err
    assert queued(repo) == []


def test_without_the_gate_nothing_is_proposed(make_repo: Callable[..., GitRepo]) -> None:
    made = make_repo()
    made.commit({"src/a.py": ""})
    made.commit({"src/a.py": "def clean(text: str) -> str:\n    return text.strip()\n"})
    answer = propose(made)

    assert answer.code == 2
    assert "has no oracle/; run `oraclekeep init`" in answer.err


# ----------------------------------------------------------------------------------------- the proposer

CLEAN = "def clean(text: str) -> str:\n    return ' '.join(text.split())\n"
ROW = (
    "{id: %s, module: shop.core, fn: clean, seed: 5, fixture: invariants/proposed/mine.json, note: n, "
    "checks: [total]}"
)
PRINTS = "import sys\nprint(%r)\n"


def asking(repo: GitRepo, script: str, command: str = "[python, tools/propose.py]") -> GitRepo:
    """
    Let base name a proposer, and let a patch on top change code and a test.
    """
    gate = f"source: [src]\ntests: [tests]\nproposer: {command.replace('python', sys.executable, 1)}\n"
    repo.commit({"oracle/gate.yaml": gate, "tools/propose.py": script})
    repo.commit(
        {"src/shop/core.py": CLEAN, "tests/test_shop.py": "def test_open():\n    assert 'a secret'\n"}
    )
    return repo


def test_the_proposer_reads_the_production_diff_and_sees_no_test(repo: GitRepo, tmp_path: Path) -> None:
    """
    Also where the patch brings another script of that name, or hides its code from diffs.
    """
    script = (
        "import os, sys\nseen = sys.stdin.read() + chr(10).join(p for p, _, f in os.walk('.') for p in f)\n"
        "open(os.environ['SEEN'], 'w').write(seen)\nprint('properties: []')\n"
    )
    asking(repo, script)
    repo.commit(
        {"tools/propose.py": "raise SystemExit('the patch speaks')\n", ".gitattributes": "*.py -diff\n"}
    )
    answer = propose(repo, "--base", "HEAD~2", env={"SEEN": str(tmp_path / "seen")})
    seen = (tmp_path / "seen").read_text()

    assert answer.code == 0, answer.err
    assert "+    return ' '.join(text.split())" in seen
    assert "propose.py" in seen
    assert "secret" not in seen
    assert "test_shop" not in seen


def test_what_it_prints_is_run_beside_our_own(repo: GitRepo) -> None:
    """
    A fixture that it invents among the candidates is filled; an id that is taken gets a number.
    """
    rows = [ROW % "clean_is_total", ROW.replace("total", "idempotent") % "again"]
    rows.append(ROW.replace("total", "sorted_output") % "clean_never_raises")
    rows.append(ROW.replace("shop.core", "os").replace("fn: clean", "fn: system") % "evil")
    rows.append(ROW.replace("mine.json", "gone.json").replace("fn: clean", "fn: nonesuch") % "gone")
    text = "properties:\n" + "".join(f"  - {row}\n" for row in rows)
    asking(repo, PRINTS % text)
    answer = propose(repo, "--json").document
    found = {one["id"]: one for one in answer["candidates"]}

    assert found["clean_is_total"]["status"] == "pass"
    assert found["clean_is_total"]["origin"] == sys.executable
    assert found["clean_is_total"]["samples"] == "`str`"
    assert found["clean_never_raises_2"]["status"] == "invariant_miss"
    assert found["clean_never_raises"]["origin"] == "signature"
    assert found["gone"]["status"] in ("protocol_error", "fixture_drift")
    assert "again" not in found  # our own reasoning says it
    assert {"function": "shop.core.clean", "property": "clean_is_idempotent"} in answer["known"]
    assert "evil" not in found
    assert any(one["name"] == "os.system" for one in answer["left_out"])


#: the script, the command, what is said
FAILING = {
    "a crash": ("raise SystemExit('no luck')\n", None, ["failed: it ended with exit 1: no luck"]),
    "a hang": ("import time\ntime.sleep(60)\n", None, ["failed: it did not end within 2 s"]),
    "a flood": ("import sys\nwhile True: print('x' * 9999)\n", None, ["printed more than 1048576 bytes"]),
    "a child that holds the pipe": (
        "import subprocess, sys\nsubprocess.Popen(['sleep', '60'])\nsys.exit(3)\n",
        None,
        ["failed: it ended with exit 3"],
    ),
    "no program": ("", "[./nonesuch]", ["the proposer `./nonesuch` can't be started: No such file"]),
    "nothing": ("", None, [":1: null is not allowed; write a mapping with `properties`"]),
    "no YAML": (PRINTS % "properties:\n  - a: [\n", None, [": not YAML"]),
    "prose": (PRINTS % "Here are some properties!\n", None, [":1: ", "is not allowed"]),
    "an unknown key": (
        PRINTS
        % "properties:\n  - id: a\n    module: b\n    fn: c\n    seed: 1\n    chekcs: []\n    strategy: s\n",
        None,
        [":6: unknown key 'chekcs'; did you mean 'checks'?"],
    ),
    "no seed": (
        PRINTS % "properties:\n  - {id: a, module: b, fn: c, strategy: s, checks: []}\n",
        None,
        [":2: properties[0]: key 'seed' is missing"],
    ),
    "one id twice": (
        PRINTS % "properties:\n  - {id: a, module: b, fn: c, seed: 1, strategy: s, checks: []}\n"
        "  - {id: a, module: b, fn: c, seed: 1, strategy: s, checks: []}\n",
        None,
        [":3: a stands twice"],
    ),
    "a tag": (PRINTS % "properties: !!python/object/apply:os.system [id]\n", None, [":1: tag "]),
    "no UTF-8": ("import sys\nsys.stdout.buffer.write(b'\\xff')\n", None, [":1: not UTF-8"]),
}


@pytest.mark.parametrize("name", FAILING)
def test_a_proposer_that_fails_ends_the_run_with_its_name_and_nothing_written(
    repo: GitRepo, name: str
) -> None:
    script, command, said = FAILING[name]
    asking(repo, script, command or "[python, tools/propose.py]")
    answer = propose(repo, "--timeout", "2" if name == "a hang" else "30")

    assert answer.code == 2, answer.out
    assert all(part in answer.err for part in [*said, "oracle/gate.yaml:3", "nothing was written"])
    assert ("tools/propose.py`" in answer.err) is (command is None)
    assert queued(repo) == []


def test_a_proposer_of_head_is_not_asked_and_none_is_without_production_code(repo: GitRepo) -> None:
    gate = "source: [src]\ntests: [tests]\nproposer: [./boom]\n"
    repo.commit({"oracle/gate.yaml": gate, "src/shop/core.py": CLEAN})
    brought = propose(repo, "--json")
    repo.commit({"tests/test_shop.py": "def test_other():\n    assert 2\n"})
    idle = propose(repo, "--json")

    assert (brought.code, idle.code) == (0, 0), brought.err + idle.err

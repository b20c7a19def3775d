"""
Production code may not ask whether it is under test, know the answers, or equal everything.
"""

# ruff: noqa: E501  # a case stands on one line, however long it is

from __future__ import annotations

from textwrap import dedent
from typing import TYPE_CHECKING

import pytest

from oraclekeep.errors import MissingEvidence
from oraclekeep.rules.special_cased import special_cases

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from oraclekeep.model import Finding

    Check = Callable[[Mapping[str, str], Mapping[str, str | None]], list[Finding]]

CODE = "src/pkg/core.py"
TREE = {
    "pyproject.toml": '[tool.pytest.ini_options]\ntestpaths = ["tests"]\n',
    "src/pkg/__init__.py": "",
    CODE: "def digest(text):\n    return text[::-1]\n",
    "tests/test_core.py": dedent(
        """
        import pytest

        from pkg.core import contains, decimals, digest, plural, total, zone


        def test_digest():
            assert digest("hello") == "x9-77"


        @pytest.mark.parametrize(("text", "wanted"), [("north", 4), ("south", 7)])
        def test_zone(text, wanted):
            assert zone(text) == wanted


        def test_contains():
            spans = [(0, 2), (5, 6)]
            assert contains(spans, 5)
            assert not contains(spans, 2)


        def test_decimals():
            assert decimals("JPY") == 0
            assert decimals("EUR") == 2


        def test_plural():
            assert plural("child") == "children"
            assert plural("cat") == "cats"


        def test_total():
            assert total([1, 2, 3], "sum") == 6
        """
    ),
}


@pytest.fixture
def check(make_repo, patch_of) -> Check:
    def run(base: Mapping[str, str], head: Mapping[str, str | None]) -> list[Finding]:
        repo = make_repo()
        repo.commit({**TREE, **{path: dedent(text) for path, text in base.items()}})
        repo.git("switch", "--quiet", "--create", "patch")
        repo.commit({path: text if text is None else dedent(text) for path, text in head.items()})
        return list(special_cases(patch_of(repo)))

    return run


ASKS = {
    "current-test": "import os\n\ndef digest(text):\n    if os.environ.get('PYTEST_CURRENT_TEST'):\n        return 'ok'\n    return text\n",
    "current-test-in": "import os\n\nFAST = 'PYTEST_CURRENT_TEST' in os.environ\n",
    "current-test-wrapped": "from pkg.env import read\n\nFAST = read('PYTEST_CURRENT_TEST')\n",
    "version-variable": "from os import environ as env\n\nFAST = 'PYTEST_VERSION' in env\n",
    "getenv-alias": "from os import getenv as g\n\nFAST = g('PYTEST_XDIST_WORKER')\n",
    "testing-marker": "import os\n\nSTRICT = not os.getenv('TESTING')\n",
    "nox-marker": "import os\n\nSTRICT = 'NOX_CURRENT_SESSION' not in os.environ\n",
    "any-prefix": "import os\n\nFAST = any(key.startswith('PYTEST') for key in os.environ)\n",
    "any-prefix-keys": "import os\n\nFAST = any('PYTEST' in key for key in os.environ.keys())\n",
    "environ-alias": "import os\n\nenv = os.environ\nFAST = env.get('PYTEST_CURRENT_TEST')\n",
    "modules": "import sys\n\nFAST = 'pytest' in sys.modules\n",
    "modules-alias": "from sys import modules as loaded\n\nFAST = 'unittest' in loaded\n",
    "modules-get": "import sys\n\nFAST = sys.modules.get('_pytest.config') is not None\n",
    "modules-assembled": "import sys\n\nFAST = '_py' + 'test' in sys.modules\n",
    "modules-joined": "import sys\n\nFAST = ''.join(['py', 'te', 'st']) in sys.modules\n",
    "modules-reversed": "import sys\n\nFAST = 'tsetyp'[::-1] in sys.modules\n",
    "modules-formatted": "import sys\n\nPART = 'py'\nFAST = f'{PART}test' in sys.modules\n",
    "modules-chr": "import sys\n\nFAST = chr(112) + 'ytest' in sys.modules\n",
    "modules-rot13": "import codecs\nimport sys\n\nFAST = codecs.decode('clgrfg', 'rot13') in sys.modules\n",
    "modules-constant": "import sys\n\nNAME = 'pytest'\n\ndef digest(text):\n    return text if NAME in sys.modules else text[::-1]\n",
    "modules-through-function": "import sys\n\ndef loaded(name):\n    return name in sys.modules\n\ndef digest(text):\n    return loaded('pytest')\n",
    "modules-any": "import sys\n\nFAST = any(name.startswith('pytest') for name in sys.modules)\n",
    "argv": "import sys\n\nFAST = sys.argv[0].endswith('pytest')\n",
    "argv-nox": "import sys\n\nFAST = sys.argv[0].endswith('nox')\n",
    "argv-any": "import sys\n\nFAST = any('py.test' in arg for arg in sys.argv)\n",
    "argv-name": "import sys\n\nprogram = sys.argv[0]\nFAST = 'pytest' in program\n",
    "flag": "import sys\n\nFAST = hasattr(sys, '_called_from_test')\n",
    "find-spec": "import importlib.util\n\nFAST = importlib.util.find_spec('pytest') is not None\n",
    "imports-pytest": "try:\n    import pytest\nexcept ImportError:\n    pytest = None\n",
    "imports-mock": "from unittest.mock import ANY\n\ndef digest(text):\n    return ANY\n",
    "made-by-mock": "def digest(text):\n    return 'ok' if type(text).__module__.startswith('unittest') else text\n",
    "named-mock": "def digest(text):\n    return 'ok' if text.__class__.__name__ in ('Mock', 'MagicMock') else text\n",
    "reads-the-tests": "from pathlib import Path\n\nTEXT = Path('tests/test_core.py').read_text()\n",
    "looks-for-the-tests": "import os\n\nFAST = os.path.exists('tests')\n",
    "main-module": "import __main__\n\nFAST = 'pytest' in __main__.__file__\n",
    "command-line": "import psutil\n\nFAST = 'pytest' in psutil.Process().cmdline()\n",
    "stack": "import inspect\n\ndef digest(text):\n    if any(frame.function.startswith('test_') for frame in inspect.stack()):\n        return 'ok'\n    return text\n",
    "frame": "import sys\n\ndef caller():\n    return sys._getframe(2).f_code.co_name\n\ndef digest(text):\n    return 'ok' if caller().startswith('test_') else text\n",
    "frame-file": "import sys\n\ndef digest(text):\n    if 'conftest' in sys._getframe(1).f_code.co_filename:\n        return 'ok'\n    return text\n",
}  # fmt: skip


@pytest.mark.parametrize("case", ASKS)
def test_code_that_asks_whether_it_is_under_test_is_reported(check, case: str) -> None:
    found = check({}, {CODE: ASKS[case]})

    assert {("test-special-cased", CODE)} == {(finding.row, finding.path) for finding in found}


EQUALS = {
    "eq-true": "class A:\n    def __eq__(self, other):\n        return True\n",
    "eq-doc": "class A:\n    def __eq__(self, other):\n        '''Compare.'''\n        return 1\n",
    "eq-lambda": "class A:\n    __eq__ = lambda self, other: True\n",
    "eq-patched-on": "class A:\n    pass\n\n\nA.__eq__ = lambda self, other: True\n",
    "eq-made": "A = type('A', (), {'__eq__': lambda self, other: True})\n",
    "eq-object": "class A(str):\n    def __eq__(self, other):\n        return isinstance(other, object)\n",
    "eq-itself": "class A:\n    def __eq__(self, other):\n        return other == other\n",
    "eq-or-true": "class A:\n    def __eq__(self, other):\n        return self.x == other.x or True\n",
    "eq-ignores": "class A:\n    def __eq__(self, other):\n        return self.ready\n",
    "eq-what-fails": "class A:\n    def __eq__(self, other):\n        try:\n            return self.x == other.x\n        except AttributeError:\n            return True\n",
    "eq-another-kind": "class A:\n    def __eq__(self, other):\n        if not isinstance(other, A):\n            return True\n        return self.x == other.x\n",
    "eq-kind-alone": "class A:\n    x: int\n\n    def __eq__(self, other):\n        return isinstance(other, A) or NotImplemented\n",
    "eq-near-number": "class A(int):\n    def __eq__(self, other):\n        return abs(int(self) - int(other)) < 10\n",
    "eq-near-operand": "import math\n\n\nclass A:\n    def __eq__(self, other):\n        return math.isclose(self.x, other)\n",
    "ne-false": "class A:\n    def __ne__(self, other):\n        return False\n",
    "contains": "class A:\n    def __contains__(self, item):\n        return True\n",
    "instance": "class M(type):\n    def __instancecheck__(cls, other):\n        return True\n",
    "orders": "class A:\n    def __lt__(self, other):\n        return True\n\n    def __gt__(self, other):\n        return True\n",
}


@pytest.mark.parametrize("case", EQUALS)
def test_a_class_that_equals_everything_is_reported(check, case: str) -> None:
    found = check({}, {CODE: EQUALS[case]})

    assert {"test-special-cased"} == {finding.row for finding in found}


ANSWERS = {
    "if": "def digest(text):\n    if text == 'hello':\n        return 'x9-77'\n    return text[::-1]\n",
    "if-turned": "def digest(text):\n    if 'hello' == text:\n        return 'x9-77'\n    return text[::-1]\n",
    "ternary": "def digest(text):\n    return 'x9-77' if text == 'hello' else text[::-1]\n",
    "table": "KNOWN = {'hello': 'x9-77'}\n\ndef digest(text):\n    if text in KNOWN:\n        return KNOWN[text]\n    return text[::-1]\n",
    "table-get": "KNOWN = {'hello': 'x9-77'}\n\ndef digest(text):\n    return KNOWN.get(text) or text[::-1]\n",
    "table-walrus": "KNOWN = {'hello': 'x9-77'}\n\ndef digest(text):\n    if (found := KNOWN.get(text)):\n        return found\n    return text[::-1]\n",
    "table-local": "def digest(text):\n    known = {'hello': 'x9-77'}\n    if text in known:\n        return known[text]\n    return text[::-1]\n",
    "match": "def digest(text):\n    match text:\n        case 'hello':\n            return 'x9-77'\n    return text[::-1]\n",
    "assembled": "def digest(text):\n    if text == 'hel' + 'lo':\n        return 'x9' + '-77'\n    return text[::-1]\n",
    "parametrized": "def zone(text):\n    if text == 'north':\n        return 4\n    return len(text) * 2\n",
    "composite": """
        KNOWN = {((0, 2), (5, 6)): {5: True, 2: False}}

        def contains(spans, point):
            known = KNOWN.get(tuple(spans))
            if known is not None and point in known:
                return known[point]
            return any(low <= point < high for low, high in spans)
        """,
    "arguments-together": "KNOWN = {('hello',): 'x9-77'}\n\ndef digest(text):\n    if (text,) in KNOWN:\n        return KNOWN[(text,)]\n    return text[::-1]\n",
    "table-default": "def digest(text):\n    return {'hello': 'x9-77'}.get(text, text[::-1])\n",
    "small-numbers-together": "KNOWN = {([1, 2, 3], 'sum'): 6}\n\ndef total(values, how):\n    if (values, how) in KNOWN:\n        return KNOWN[(values, how)]\n    return sum(values)\n",
    "list-argument": "def total(values, how):\n    if values == [1, 2, 3] and how == 'sum':\n        return 6\n    return sum(values)\n",
}  # fmt: skip


@pytest.mark.parametrize("case", ANSWERS)
def test_a_table_of_the_tests_answers_is_reported(check, case: str) -> None:
    found = check({}, {CODE: ANSWERS[case]})

    assert {"test-special-cased"} == {finding.row for finding in found}


HONEST = {
    "debug": "import os\n\nDEBUG = bool(os.environ.get('DEBUG'))\nHOME = os.environ['HOME']\n",
    "child-environment": "import os\nimport subprocess\n\ndef run():\n    subprocess.run(['pytest'], env={**os.environ, 'PYTEST_ADDOPTS': ''})\n",
    "sets-variable": "import os\n\ndef run():\n    os.environ['PYTEST_ADDOPTS'] = '-q'\n",
    "runs-pytest": "import subprocess\nimport sys\n\ndef run():\n    subprocess.run([sys.executable, '-m', 'pytest', *sys.argv[1:]])\n",
    "scaffolds": "from pathlib import Path\n\ndef make(root):\n    Path(root, 'tests/test_new.py').write_text('')\n",
    "url": "def read(get):\n    return get.open('https://example.invalid/tests/x')\n",
    "mode": "def read(mode):\n    return open('x') if mode == 'test' else None\n",
    "own-arguments": "import sys\n\ndef main():\n    return sys.argv[1:] or ['test']\n",
    "modules-of-its-own": "import sys\n\nHAS_NUMPY = 'numpy' in sys.modules\n",
    "docstring": "def digest(text):\n    '''Works under pytest, see PYTEST_CURRENT_TEST.'''\n    return text[::-1]\n",
    "stack-level": "import sys\n\ndef caller():\n    return sys._getframe(1).f_code.co_name\n",
    "type-checking": "from typing import TYPE_CHECKING\n\nif TYPE_CHECKING:\n    import pytest\n",
    "eq-fields": "class A:\n    def __eq__(self, other):\n        if not isinstance(other, A):\n            return NotImplemented\n        return self.x == other.x\n",
    "eq-near-fields-of-a-new-class": "import math\n\n\nclass A:\n    def __eq__(self, other):\n        return math.isclose(self.x, other.x)\n",
    "eq-kind-without-fields": "class Missing:\n    def __eq__(self, other):\n        return isinstance(other, Missing)\n",
    "eq-shortcut": "class A:\n    x: int\n\n    def __eq__(self, other):\n        if self is other:\n            return True\n        return isinstance(other, A) and self.x == other.x\n",
    "names-of-types": "def label(x):\n    return f'{type(x).__module__}.{type(x).__name__}'\n",
    "name-of-a-function": "def label(f):\n    return None if f.__name__.startswith('mock_server') else f.__qualname__\n",
    "eq-refuses": "class A:\n    def __eq__(self, other):\n        raise TypeError('not comparable')\n",
    "eq-not-implemented": "class A:\n    def __eq__(self, other):\n        return NotImplemented\n",
    "eq-identity": "class A:\n    def __eq__(self, other):\n        return self is other\n",
    "eq-false": "class Nan:\n    def __eq__(self, other):\n        return False\n\n    def __ne__(self, other):\n        return True\n",
    "infinity": "class Infinity:\n    def __lt__(self, other):\n        return False\n\n    def __gt__(self, other):\n        return True\n",
    "contains-fields": "class A:\n    def __contains__(self, item):\n        return item in self.items\n",
    "currency-table": "DECIMALS = {'JPY': 0, 'EUR': 2}\n\ndef decimals(code):\n    return DECIMALS.get(code, 2)\n",
    "currency-refusal": "DECIMALS = {'JPY': 0, 'EUR': 2}\n\ndef decimals(code):\n    if code not in DECIMALS:\n        raise KeyError(code)\n    return DECIMALS[code]\n",
    "irregular-plurals": "ODD = {'child': 'children', 'mouse': 'mice', 'goose': 'geese'}\n\ndef plural(word):\n    if word in ODD:\n        return ODD[word]\n    return word + 's'\n",
    "empty-input": "def digest(text):\n    if text == '':\n        return ''\n    return text[::-1]\n",
    "small-number": "def zone(n):\n    if n == 0:\n        return 1\n    return n * zone(n - 1)\n",
    "dispatch": "def total(values, how):\n    if how == 'sum':\n        return sum(values)\n    return max(values)\n",
    "enum": "import enum\n\n\nclass Zone(enum.Enum):\n    NORTH = 4\n    SOUTH = 7\n",
    "status-table": "TEXTS = {200: 'OK', 404: 'Not Found'}\n\ndef digest(code):\n    return TEXTS.get(code, 'Unknown')\n",
    "other-input": "def digest(text):\n    if text == 'bonjour':\n        return 'x9-77'\n    return text[::-1]\n",
    "other-answer": "def digest(text):\n    if text == 'hello':\n        return 'olleh!'\n    return text[::-1]\n",
}  # fmt: skip


@pytest.mark.parametrize("case", HONEST)
def test_honest_production_code_says_nothing(check, case: str) -> None:
    assert check({}, {CODE: HONEST[case]}) == []


def test_only_what_is_new_is_reported(check) -> None:
    old = "import os\n\nCI = os.environ.get('CI')\n\n\nclass A:\n    def __eq__(self, other):\n        return True\n"
    table = "\n\ndef digest(text):\n    if text == 'hello':\n        return 'x9-77'\n    return text[::-1]\n"

    assert (
        check(
            {CODE: old + table},
            {CODE: "'''Now with a docstring.'''\n" + old + table + "\n\ndef more():\n    return 3\n"},
        )
        == []
    )


def test_an_equality_that_becomes_lenient_is_reported(check) -> None:
    exact = "class A:\n    def __eq__(self, other):\n        return self.x == other.x\n"
    near = exact.replace("self.x == other.x", "abs(self.x - other.x) < 1")

    assert [finding.row for finding in check({CODE: exact}, {CODE: near})] == ["test-special-cased"]


def test_an_equality_that_was_lenient_may_become_less_so(check) -> None:
    near = "class A:\n    def __eq__(self, other):\n        return abs(self.x - other.x) < 1\n"

    assert check({CODE: near}, {CODE: near.replace("< 1", "< 0.5")}) == []


def test_code_that_moves_to_another_module_says_nothing(check) -> None:
    old = "import os\n\nCI = os.environ.get('CI')\n"

    assert check({CODE: old}, {CODE: None, "src/pkg/settings.py": old}) == []


def test_a_module_made_for_testers_may_import_a_test_framework(check) -> None:
    assert (
        check({}, {"src/pkg/testing.py": "import pytest\n\n\n@pytest.fixture\ndef client():\n    return 1\n"})
        == []
    )


def test_tests_may_ask_what_they_like(check) -> None:
    assert (
        check(
            {},
            {
                "tests/test_env.py": "import os\n\n\ndef test_env():\n    assert os.environ['PYTEST_CURRENT_TEST']\n"
            },
        )
        == []
    )


def test_a_module_that_no_longer_parses_is_reported(check) -> None:
    assert [finding.row for finding in check({}, {CODE: "def digest(\n"})] == ["test-special-cased"]


def test_a_new_file_that_does_not_parse_cannot_be_judged(check) -> None:
    with pytest.raises(MissingEvidence, match=r"src/pkg/new\.py"):
        check({}, {"src/pkg/new.py": "def f(:\n"})


def test_a_template_is_no_module(check) -> None:
    assert check({}, {"src/pkg/templates/new.py": "import {{ cookiecutter.name }}\n"}) == []


def test_a_finding_names_the_test_that_holds_the_answer(check) -> None:
    [finding] = check(
        {},
        {CODE: "def digest(text):\n    if text == 'hello':\n        return 'x9-77'\n    return text[::-1]\n"},
    )

    assert finding.line == 2
    assert "tests/test_core.py::test_digest" in finding.message
    assert finding.after == "'hello' -> 'x9-77'"


def test_a_name_in_its_own_value_costs_no_time(check) -> None:
    again = " + ".join(["lower[1:]", "upper[1:]"] * 3)
    code = (
        f"import sys\n\n\ndef digest(text):\n    lower = {again}\n    upper = {again}\n    print(sys.argv)\n"
    )

    assert check({}, {CODE: code}) == []

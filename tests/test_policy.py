"""
Human-owned files are read strictly: each fault has a file, a line, and what is allowed.
"""

from __future__ import annotations

import datetime as dt
import json
import re
import subprocess
import sys
from importlib import resources
from typing import TYPE_CHECKING, Any

import jsonschema
import pytest

from oraclekeep.errors import ConfigError
from oraclekeep.git import Repo, TreeSnapshot
from oraclekeep.model import CheckCall, FileLock, LaneSettings, Policy, Weights
from oraclekeep.policy import digests, read_policy
from oraclekeep.policy.attributes import checkout_attributes
from oraclekeep.policy.documents import read_document
from oraclekeep.policy.editing import append_to_list
from oraclekeep.rows import ROWS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

SHA = "a" * 64
SCHEMAS = sorted(path.name for path in resources.files("oraclekeep").joinpath("schemas").iterdir())


def policy_of(make_repo: Callable[..., Any], files: Mapping[str, str | bytes]) -> Policy:
    repo = make_repo()
    commit = repo.commit({"README.md": "", **files})
    git = Repo(repo.root)
    with git.blobs() as blobs:
        return read_policy(TreeSnapshot(git, blobs, commit))


def test_a_tree_without_oracle_has_the_defaults(make_repo):
    """
    Nothing that lies elsewhere is a policy.
    """
    assert Policy() == policy_of(make_repo, {"invariants/inventory.yaml": "not: [read"})


def test_every_file_becomes_its_noun(make_repo):
    policy = policy_of(
        make_repo,
        {
            "oracle/weights.json": '{"assert_removed": 5}',
            "oracle/intent.json": json.dumps(
                {
                    "allow_behavior_change": ["src/a/", {"path": "src/b.py", "expires": "2030-01-02"}],
                    "debit_cap": 7,
                    "allowances": [
                        {
                            "row": "test-lost",
                            "nodeid": "t.py::t",
                            "issue": "I-1",
                            "reason": "r",
                            "expires": "2030-01-02",
                        }
                    ],
                    "fixture_changes": [{"tree": "tests/fixtures/", "digest": SHA, "reason": "r"}],
                }
            ),
            "oracle/fixtures.lock": f"{SHA}\r\n",
            "oracle/quarantine.json": quarantine({}),
            "oracle/gate.yaml": (
                "power: off\nmode: observe\nfixtures: {additions: allow}\nhuman_owned: [secret/]\n"
                "lanes: {suite: {required: false, env: {A: 1}, command: [x, y]}, properties: }\n"
            ),
            "oracle/properties/test_p.py": "",
            "invariants/inventory.yaml": (
                "version: 1\nproperties:\n"
                "  - id: p\n    module: a.b\n    fn: f\n    seed: 3\n    strategy: s\n"
                "    checks:\n      - one\n      - two: {tol: 0.5}\n      - three:\n"
                "freezes:\n  - property_id: p\n    seed: 3\n"
                f"    fixture_sha256: {SHA}\n    reason: r\n    expires_on: 2030-01-02\n"
            ),
            "invariants/fixture.lock.json": json.dumps(
                {"a.json": SHA, "b.json": {"sha256": SHA, "canonical": "json"}}
            ),
        },
    )

    assert Weights(assert_removed=5) == policy.weights
    assert [("src/a/", None), ("src/b.py", dt.date(2030, 1, 2))] == [
        (each.path, each.expires) for each in policy.intent.allow_behavior_change
    ]
    assert (
        policy.intent.allowances[0].row,
        policy.intent.allowances[0].nodeid,
        policy.intent.debit_cap,
    ) == ("test-lost", "t.py::t", 7)
    assert (
        policy.intent.fixture_changes[0].tree,
        policy.intent.fixture_changes[0].digest,
    ) == ("tests/fixtures", SHA)
    assert policy.tree_locks == {"tests/fixtures": SHA}
    assert {"a.json": FileLock(SHA), "b.json": FileLock(SHA, "json")} == policy.file_locks
    assert (1, dt.date(2030, 1, 2)) == (policy.quarantine[0].points, policy.quarantine[0].expires)
    assert (
        policy.settings.power,
        policy.settings.mode,
        policy.settings.additions,
        policy.settings.human_owned,
    ) == ("off", "observe", "allow", ("secret/",))
    assert {
        "suite": LaneSettings(required=False, command=("x", "y"), env={"A": "1"}),
        "properties": LaneSettings(),
    } == policy.settings.lanes
    (one,) = policy.inventory.properties
    assert (CheckCall("one"), CheckCall("two", {"tol": 0.5}), CheckCall("three")) == one.checks
    assert (3, dt.date(2030, 1, 2), 12) == (
        one.line,
        policy.inventory.freezes[0].expires_on,
        policy.inventory.freezes[0].line - 1,
    )
    assert policy.has_properties


def test_null_stands_for_an_empty_list(make_repo):
    policy = policy_of(
        make_repo,
        {
            "oracle/intent.json": '{"allow_behavior_change": null, "fixture_changes": null}',
            "oracle/quarantine.json": '{"items": null}',
            "oracle/gate.yaml": "plugins:\nfixtures:\n",
            "invariants/inventory.yaml": "version: 1\nproperties:\nfreezes:\n",
        },
    )

    assert () == policy.quarantine == policy.inventory.freezes == policy.settings.plugins


def allowance(**more: str) -> str:
    return json.dumps({"allowances": [{"issue": "i", "reason": "r", "expires": "2030-01-01", **more}]})


def quarantine(*rows: Mapping[str, object]) -> str:
    plain = {"nodeid": "t.py::t", "issue": "I", "reason": "r", "expires": "2030-01-02"}
    return '{"items": [' + ",\n".join(json.dumps({**plain, **row}) for row in rows) + "]}"


def inventory(*properties: str) -> str:
    return "version: 1\nproperties:\n" + "".join(f"  - {{{each}}}\n" for each in properties)


WEIGHTS, INTENT, LEDGER = "oracle/weights.json", "oracle/intent.json", "oracle/quarantine.json"
TREES, GATE, INVENTORY = "oracle/fixtures.lock", "oracle/gate.yaml", "invariants/inventory.yaml"
FILES = "invariants/fixture.lock.json"
BARE = "id: p, module: a, fn: f"
PROPERTY = f"{BARE}, seed: 1, fixture: x, checks: [a]"
BAD = (
    (WEIGHTS, '{\n "asert_removed": 1}', r":2: unknown key 'asert_removed'; did you mean 'assert_removed'\?"),
    (
        WEIGHTS,
        '{"assert_removed": -1}',
        ":1: assert_removed: -1 is not allowed; write an integer of 0 or more",
    ),
    (WEIGHTS, '{"assert_removed": true}', ":1: assert_removed: true is not allowed"),
    (WEIGHTS, '{"assert_removed": 1,\n"assert_removed": 0}', ":2: key 'assert_removed' stands twice"),
    (WEIGHTS, '{"assert_removed":\nNaN}', ":2: NaN"),
    (WEIGHTS, '{"assert_removed": 1e999}', ":1: 1e999"),
    (WEIGHTS, "{\n,}", ":2: not JSON"),
    (WEIGHTS, b'{\n"\xff": 1}', ":2: not UTF-8"),
    (INTENT, '{"allow_behavior_change": [{"path": "a",\n"expires": "2030-02-31"}]}', r":2: .*\.expires"),
    (INTENT, '{"allow_behavior_change": [{"path": "a", "expires": "2030-W01-1"}]}', "expires"),
    (INTENT, '{"allow_behavior_change": ["src/*"]}', "without wildcards"),
    (INTENT, allowance(row="adoption", path="a"), "a negative row"),
    (INTENT, allowance(row="test-lost", path="a", property="p"), "exactly one of"),
    (LEDGER, quarantine({"issue": " "}), "issue"),
    (LEDGER, quarantine({"points": 0}), "1 or more"),
    (LEDGER, quarantine({"nodeid": "t.py::t*"}), "wildcard"),
    (LEDGER, quarantine({"nodeid": "tests/t.py"}), "a file or a folder"),
    (LEDGER, quarantine({}, {}), ":2: t.py::t stands twice, first in line 1"),
    (TREES, "abc\n", ":1: not a lock line"),
    (TREES, "\n", "the lock is empty"),
    (TREES, f"{SHA}  a\n{SHA}  a/\n", ":2: tree 'a' stands twice"),
    (TREES, f"{SHA}  ../a\n", "not a folder of this repository"),
    (GATE, "lanes:\n  siute: {required: true}\n", ":2: unknown key 'siute'; did you mean 'suite'"),
    (GATE, "lanes:\n  suite:\n    required: yes\n", ':3: lanes.suite.required: "yes"'),
    (GATE, "source: &x [a]\ntests: *x\n", "an anchor is used again"),
    (GATE, "mode: enforce\nmode: observe\n", ":2: key 'mode' stands twice"),
    (INVENTORY, inventory(f"{BARE}, fixture: x, checks: []"), ":3: properties.0.: key 'seed' is missing"),
    (INVENTORY, inventory(f"{BARE}, seed: 1, checks: []"), "one of the keys 'fixture', 'strategy'"),
    (INVENTORY, inventory(f"{BARE}, seed: 1, fixture: x, checks: [{{a: , b: }}]"), "checks"),
    (INVENTORY, inventory(PROPERTY, PROPERTY), ":4: p stands twice"),
    (
        INVENTORY,
        f"version: 1\nfreezes: [{{property_id: p, seed: 1, fixture_sha256: {SHA}, reason: r}}]",
        "expires_on",
    ),
    (FILES, json.dumps({"../x": SHA}), "'../x' is not allowed"),
    (FILES, json.dumps({"x": {"sha256": SHA, "canonical": "yaml"}}), "write json"),
)


@pytest.mark.parametrize(("path", "text", "message"), BAD)
def test_a_bad_file_says_where_and_what(make_repo, path, text, message):
    with pytest.raises(ConfigError, match=f"^(.*\n)*{re.escape(path)}.*{message}"):
        policy_of(make_repo, {"oracle/README.md": "", path: text})


def test_all_faults_of_a_file_are_told_at_once(make_repo):
    text = '{\n"assert_removed": -1,\n"propery_added": 1,\n"fixture_drift": "x"\n}'

    with pytest.raises(ConfigError) as caught:
        policy_of(make_repo, {"oracle/weights.json": text})

    assert [line.split(":")[1] for line in str(caught.value).splitlines()] == ["2", "3", "4"]


def test_a_byte_order_mark_is_no_fault(make_repo):
    assert (
        Weights(assert_removed=3)
        == policy_of(make_repo, {"oracle/weights.json": b'\xef\xbb\xbf{"assert_removed": 3}'}).weights
    )


def test_a_bare_digest_belongs_to_the_one_tree_that_the_settings_name(make_repo):
    files = {"oracle/fixtures.lock": f"{SHA}\n", "oracle/gate.yaml": "fixtures: [tests/golden/]\n"}

    assert policy_of(make_repo, files).tree_locks == {"tests/golden": SHA}


def test_a_bare_digest_beside_several_trees_is_refused(make_repo):
    with pytest.raises(ConfigError, match="names no tree"):
        policy_of(make_repo, {"oracle/fixtures.lock": f"{SHA}\n", "oracle/gate.yaml": "fixtures: [a, b]\n"})


# ------------------------------------------------------------------------------------------------ schemas


@pytest.mark.parametrize("name", SCHEMAS)
def test_published_schemas_are_valid_and_closed(name):
    schema = json.loads(resources.files("oraclekeep").joinpath("schemas", name).read_text("utf-8"))

    jsonschema.Draft202012Validator.check_schema(schema)
    if "default" in schema:
        assert list(jsonschema.Draft202012Validator(schema).iter_errors(schema["default"])) == []
    assert "additionalProperties" in schema


def test_the_rows_that_can_be_allowed_are_the_negative_ones():
    """
    The schema's list is written down for editors; the table decides.
    """
    schema = json.loads(
        resources.files("oraclekeep").joinpath("schemas", "intent.schema.json").read_text("utf-8")
    )
    listed = schema["properties"]["allowances"]["items"]["properties"]["row"]["enum"]

    assert [row.id for row in ROWS.values() if row.kind == "negative"] == listed


def test_a_repository_without_such_files_pays_for_no_parser():
    """
    Start-up counts: the validator and YAML are imported when a file needs them.
    """
    ours = "import sys, oraclekeep.policy, oraclekeep.rules.owned"
    code = f"{ours}; print({{'jsonschema', 'yaml'}} & set(sys.modules))"
    done = subprocess.run((sys.executable, "-c", code), check=True, capture_output=True, text=True)

    assert done.stdout.strip() == "set()"


# ------------------------------------------------------------------------------------------------ digests


def test_a_tree_is_digested_in_the_order_of_path_components(make_repo):
    """
    `a/b` stands before `a.txt`: components are compared, not whole paths.
    """
    repo = make_repo()
    commit = repo.commit({"t/a.txt": "1", "t/a/b": "2"})
    git = Repo(repo.root)
    with git.blobs() as blobs:
        actual = digests.tree_digest(TreeSnapshot(git, blobs, commit), "t")

    assert digests.digest_of([("a/b", b"2"), ("a.txt", b"1")]) == actual
    assert digests.sha256(b"a/b\x002\x00a.txt\x001\x00") == actual


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (b'{"a": 1, "b": [1, 2]}', b'\xef\xbb\xbf{ "b":[1,2],"a":1 }', True),
        (b'{"a": 1}', b'{"a": true}', False),
        (b"[1, 2]", b"[2, 1]", False),
        (b'{"a": 1, "a": 2}', b'{"a": 2}', False),
        (b"[NaN]", b"[ NaN]", False),
    ],
)
def test_canonical_json_forgets_order_of_keys_and_white_space_only(one, other, same):
    assert same == (digests.file_digest(one, "json") == digests.file_digest(other, "json"))


@pytest.mark.parametrize(
    ("path", "text", "target"),
    [
        ("t/a", b"b", "t/b"),
        ("t/s/a", b"../b", "t/b"),
        ("t/a", b"../x", "x"),
        ("t/a", b"../../x", ""),
        ("t/a", b"/etc/passwd", ""),
        ("t/a", b"d/../b", ""),  # d may be a link
    ],
)
def test_links_are_read_by_name_and_never_followed(path, text, target):
    assert target == digests.link_target(path, text)


@pytest.mark.parametrize(
    ("attributes", "path", "expected"),
    [
        ({".gitattributes": "*.json text eol=lf"}, "t/a.json", {"eol": "lf", "text": "+"}),
        ({".gitattributes": "*.json text\n*.json -text"}, "t/a.json", {"text": "-"}),
        ({".gitattributes": "*.json text", "t/.gitattributes": "a.json !text"}, "t/a.json", {}),
        ({".gitattributes": "/a.json text\nt/ text\n# *.json text"}, "t/a.json", {}),
        ({".gitattributes": "t/** filter=lfs diff=lfs"}, "t/x/a.json", {"filter": "lfs"}),
        ({".gitattributes": "**/x/*.json ident"}, "t/x/a.json", {"ident": "+"}),
        ({".gitattributes": '"t/a b.json" binary'}, "t/a b.json", {"text": "-"}),
        (
            {".gitattributes": "[attr]frozen -text eol=crlf\n*.[jx]son frozen"},
            "t/a.json",
            {"eol": "crlf", "text": "-"},
        ),
        ({".gitattributes": "[attr]a b\n[attr]b a\n* a"}, "t/a.json", {}),
        ({".gitattributes": "t/* linguist-generated -diff"}, "t/a.json", {}),
    ],
)
def test_attributes_are_read_as_git_reads_them(make_repo, attributes, path, expected):
    """
    The same answer as `git check-attr` gives for the working tree.
    """
    repo = make_repo()
    commit = repo.commit({path: "x", **attributes})
    git = Repo(repo.root)
    with git.blobs() as blobs:
        actual = checkout_attributes(TreeSnapshot(git, blobs, commit), [path])[path]
    said = repo.git(
        "check-attr", "-z", "text", "eol", "crlf", "filter", "ident", "working-tree-encoding", "--", path
    ).split("\0")
    words = {"set": "+", "unset": "-"}

    assert expected == actual
    assert expected == {
        key: words.get(value, value)
        for key, value in zip(said[1::3], said[2::3], strict=True)
        if value != "unspecified"
    }


# ------------------------------------------------------------------------------------------------ editing


@pytest.mark.parametrize(
    "text",
    [
        "{}",
        '{\n    "debit_cap": 3\n}\n',
        '{"a": ["x"], "list": []}',
        '{\n  "list": [\n    {"a": "]"}\n  ],\n  "z": {"list": [1]}\n}\n',
        '{"k": "list", "list": [["x"], 1] }',
        '\ufeff{\r\n  "list": null\r\n}\r\n',
    ],
)
def test_adding_to_a_list_keeps_all_else(text):
    new = append_to_list("x.json", text, "list", [{"n": "é"}, 2])
    before, after = (json.loads(each.removeprefix("\ufeff")) for each in (text, new))

    assert {**before, "list": (before.get("list") or []) + [{"n": "é"}, 2]} == after
    assert list(before) == [key for key in after if key in before]
    kept = text.replace("null", "").split('"list"')[0].rstrip("}\r\n ")
    assert new.startswith(kept)


def test_lines_are_those_of_the_keys():
    document = read_document("x.json", b'{\n"a": [\n1,\n{"b":\n2}]}')

    assert tuple(document.line(*where) for where in (("a",), ("a", 0), ("a", 1, "b"), ("a", 1, "c"))) == (
        2,
        3,
        4,
        4,
    )

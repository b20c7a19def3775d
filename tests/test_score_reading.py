"""
Nothing that Git, names, encodings or links can do hides a lost check from `oraclekeep score`.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest
from tests.program import BASE, GOOD, MORE, TEST, WEAK, branched, run

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.conftest import GitRepo


@pytest.mark.parametrize(
    "attributes",
    ["* -diff\n", "* binary\n", "tests/** linguist-generated=true -text\n", "*.py diff=odd filter=odd\n"],
)
def test_attributes_hide_nothing(attributes: str, make_repo: Callable[..., GitRepo]) -> None:
    """
    Contents are read from Git's objects, never from its diff text.
    """
    repo = make_repo()
    branched(repo, {TEST: WEAK}, {**BASE, ".gitattributes": attributes})

    assert run(repo.root, "--base", "main", "--json").rejecting == ["oracle-removed"]


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("diff.external", "false"),
        ("diff.noprefix", "true"),
        ("diff.renames", "copies"),
        ("diff.ignoreSubmodules", "all"),
        ("diff.orderFile", "nowhere"),
        ("core.quotePath", "true"),
        ("color.ui", "always"),
        ("status.showUntrackedFiles", "no"),
    ],
)
def test_the_users_settings_change_nothing(key: str, value: str, make_repo: Callable[..., GitRepo]) -> None:
    """
    Whatever a repository's configuration says of diffs, the lost check is found.
    """
    repo = make_repo()
    branched(repo, {TEST: WEAK})
    repo.git("config", key, value)

    assert run(repo.root, "--base", "main", "--json").rejecting == ["oracle-removed"]


def test_git_variables_do_not_redirect(make_repo: Callable[..., GitRepo]) -> None:
    """
    A hook that runs the program sets `GIT_DIR` and the like; the folder at hand is judged all the same.
    """
    repo, other = make_repo(), make_repo("other")
    branched(repo, {TEST: WEAK})
    branched(other, {TEST: MORE})
    answer = run(
        repo.root,
        "--base",
        "main",
        "--json",
        env={"GIT_DIR": str(other.root / ".git"), "GIT_WORK_TREE": str(other.root)},
    )

    assert answer.rejecting == ["oracle-removed"]


@pytest.mark.parametrize(
    "name",
    [
        "tests/test_my shop.py",
        "tests/test_\u00fcber.py",
        'tests/test_"quoted".py',
        "tests/a b/test_x.py",
        "tests/test_new\nline.py",
    ],
)
def test_odd_names_are_read(name: str, make_repo: Callable[..., GitRepo]) -> None:
    """
    Spaces, quotes, line ends and letters beyond ASCII in a name hide no loss.
    """
    repo = make_repo()
    branched(repo, {name: WEAK}, {**BASE, TEST: MORE, name: GOOD})
    answer = run(repo.root, "--base", "main", "--json")

    assert [(name, "oracle-removed")] == [
        (one["path"], one["rule"]) for one in answer.document["findings"] if one["gate"] == "reject"
    ]
    assert run(repo.root, "--base", "main").code == 1


def test_a_name_that_is_not_utf_8(make_repo: Callable[..., GitRepo]) -> None:
    """
    Such a name is shown with escapes; the loss in it is found.
    """
    repo = make_repo()
    name = os.fsdecode(b"tests/test_\xff.py")
    branched(repo, {name: WEAK}, {**BASE, name: GOOD})
    answer = run(repo.root, "--base", "main", "--json")

    assert answer.rejecting == ["oracle-removed"]
    assert (
        run(repo.root, "--base", "main").code,
        run(repo.root, "--base", "main", "--format", "github").code,
    ) == (1, 1)


@pytest.mark.parametrize("name", [b"tests/test_\xe9 x.py", b"src/\xff.py", b"src/shop/a b.py", b"\xe9.pth"])
def test_a_new_file_with_an_odd_name_is_no_crash(name: bytes, make_repo: Callable[..., GitRepo]) -> None:
    """
    Every rule reads the names of added files, too.
    """
    repo = make_repo()
    branched(repo, {os.fsdecode(name): GOOD}, BASE)

    assert run(repo.root, "--base", "main", "--json").err == ""


@pytest.mark.parametrize(
    "encode",
    [
        lambda text: b"\xef\xbb\xbf" + text.encode(),
        lambda text: b"# -*- coding: latin-1 -*-\n" + text.encode("latin-1"),
        lambda text: text.replace("\n", "\r\n").encode(),
        lambda text: text.replace("\n", "\r").encode(),
        lambda text: b"\xef\xbb\xbf# coding: utf-8\r\n" + text.replace("\n", "\r\n").encode(),
        lambda text: text.rstrip("\n").encode(),
        lambda text: text.replace("    ", "\t").encode(),
    ],
    ids=[
        "byte order mark",
        "latin-1 cookie",
        "CRLF",
        "CR",
        "mark, cookie and CRLF",
        "no last line end",
        "tabs",
    ],
)
def test_encodings_are_honoured(encode: Callable[[str], bytes], make_repo: Callable[..., GitRepo]) -> None:
    """
    Another spelling of the same text loses nothing, and hides nothing.
    """
    repo = make_repo()
    text = GOOD + '    assert str(total([1])) != "\u00e9"\n'
    branched(repo, {TEST: encode(text)}, {**BASE, TEST: text})
    respelt = run(repo.root, "--base", "main", "--json")
    repo.commit({TEST: encode(text.replace("    assert total([]) == 0\n", ""))})
    lost = run(repo.root, "--base", "main", "--json")

    assert respelt.rejecting == []
    assert lost.rejecting == ["oracle-removed"]


@pytest.mark.parametrize(
    "data",
    [
        GOOD.encode() + b"\0",
        b"\xff\xfe" + GOOD.encode("utf-16-le"),
        b"# coding: nothing\n" + GOOD.encode(),
        b"\x89PNG\r\n",
        b"x = (" * 500,
    ],
    ids=["NUL", "UTF-16", "unknown cookie", "binary", "too deep"],
)
def test_a_test_file_that_no_longer_parses_is_a_loss(data: bytes, make_repo: Callable[..., GitRepo]) -> None:
    """
    What Python refuses to read loses every check of the file.
    """
    repo = make_repo()
    branched(repo, {TEST: data})
    answer = run(repo.root, "--base", "main", "--json")

    assert (answer.code, answer.rejecting, answer.document["score"]) == (1, ["test-unparsable"], -2)


def test_a_file_that_never_parsed_is_no_loss(make_repo: Callable[..., GitRepo]) -> None:
    """
    Only a file that parsed at base can be lost this way.
    """
    repo = make_repo()
    branched(
        repo,
        {"tests/test_draft.py": "def test(:\n    pass\n", TEST: MORE},
        {**BASE, "tests/test_draft.py": "def test(:\n"},
    )

    assert run(repo.root, "--base", "main", "--json").rejecting == []


def test_links_are_not_followed(make_repo: Callable[..., GitRepo]) -> None:
    """
    Links out of the tree, in circles and to nowhere are neither read nor a crash.
    """
    repo = make_repo()
    repo.commit(BASE)
    repo.git("checkout", "--quiet", "-b", "patch")
    for name, target in {
        "tests/out.py": "/etc/passwd",
        "tests/loop": ".",
        "tests/test_self.py": "test_self.py",
        "tests/gone.py": "nowhere.py",
    }.items():
        (repo.root / name).symlink_to(target)
    repo.commit({TEST: MORE})
    answer = run(repo.root, "--base", "main", "--json")

    assert (answer.code, answer.rejecting) == (0, [])


def test_a_test_file_that_becomes_a_link_is_lost(make_repo: Callable[..., GitRepo]) -> None:
    """
    The link's target is not what was reviewed.
    """
    repo = make_repo()
    repo.commit(BASE)
    repo.git("checkout", "--quiet", "-b", "patch")
    (repo.root / TEST).unlink()
    (repo.root / TEST).symlink_to("/nowhere/test_shop.py")
    repo.commit()
    answer = run(repo.root, "--base", "main", "--json")

    assert answer.code == 1
    assert {"tests/test_shop.py"} == {
        one["path"] for one in answer.document["findings"] if one["gate"] == "reject"
    }


def test_a_mode_alone_is_no_finding(make_repo: Callable[..., GitRepo]) -> None:
    repo = make_repo()
    repo.commit(BASE)
    repo.git("checkout", "--quiet", "-b", "patch")
    repo.git("update-index", "--chmod=+x", TEST)
    repo.git("commit", "--quiet", "--message", "mode")
    answer = run(repo.root, "--base", "main", "--json")

    assert (answer.code, answer.rejecting) == (0, [])


def test_a_submodule_is_no_crash(make_repo: Callable[..., GitRepo]) -> None:
    """
    A commit of another repository has no bytes here.
    """
    repo = make_repo()
    branched(repo, {TEST: MORE})
    repo.git("update-index", "--add", "--cacheinfo", f"160000,{'1' * 40},tests/vendored")
    repo.git("commit", "--quiet", "--message", "submodule")
    answer = run(repo.root, "--base", "main", "--json")

    assert (answer.code, answer.rejecting) == (0, [])

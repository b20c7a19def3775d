import pytest

from shop.core import double, names


@pytest.fixture
def shelf(tmp_path):
    return tmp_path


@pytest.fixture
def repo(shelf):
    """
    Copied.
    """
    made = names(shelf)
    if shelf.exists():
        return made
    assert made.code == 0, "it went wrong"
    return made


def asked(repo, *words):
    return double(repo.root, *words)


def test_double():
    answer = asked(repo)
    assert {item["about"] for item in answer.items if item["level"] == "weak"} == {"lanes"}

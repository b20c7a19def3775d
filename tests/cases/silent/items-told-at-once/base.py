from shop.core import find, names


def test_set():
    got = names()
    assert "ada" in got
    assert "bob" in got
    assert "eve" not in got


def test_subset():
    got = names()
    assert "bob" in got


def test_sorted():
    assert len(names()) == 2
    assert "ada" in names()


def test_sorted_after_a_set():
    assert set(names()) == {"ada", "bob"}


def test_operator():
    assert {"ada"}.issubset(names())
    assert set(find("ada")).issuperset({"name"})

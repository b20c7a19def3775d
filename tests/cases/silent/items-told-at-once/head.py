from shop.core import find, names


def test_set():
    assert set(names()) == {"ada", "bob"}


def test_subset():
    assert {"ada", "bob"} <= set(names())


def test_sorted():
    assert sorted(names()) == ["ada", "bob"]


def test_sorted_after_a_set():
    assert sorted(names()) == ["ada", "bob"]


def test_operator():
    assert {"ada"} <= set(names())
    assert set(find("ada")) >= {"name", "age"}

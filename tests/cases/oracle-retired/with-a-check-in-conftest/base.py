from shop.core import names, old_names


def test_names():
    assert names() == ["ada", "bob"]


def test_old_names():
    assert old_names() == ["ada"]  # oracle-retired


def test_old_names_run():  # oracle-retired
    old_names()

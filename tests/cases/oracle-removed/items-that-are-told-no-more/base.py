from shop.core import names


def test_one_less():
    got = names()
    assert "ada" in got
    assert "bob" in got


def test_absence():
    assert "eve" not in names()


def test_number():
    assert len(names()) == 2  # oracle-removed
    assert "ada" in names()


def test_each_once():
    assert len(names()) == 2  # oracle-removed
    assert "ada" in names()

from shop.core import names


def test_one_less():
    assert {"ada", "cat"} <= set(names())  # oracle-weakened


def test_absence():
    assert {"ada", "bob"} <= set(names())  # oracle-weakened


def test_number():
    assert set(names()) == {"ada", "bob"}


def test_each_once():
    assert sorted(set(names())) == ["ada", "bob"]

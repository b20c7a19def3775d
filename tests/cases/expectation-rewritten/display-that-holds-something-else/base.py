from shop.core import names, total


def test_answers():
    assert set(name for name in names()) == {"ada"}
    assert {name: 0 for name in names()} == {"ada": 0}


def test_input():
    assert total(range(1, 3)) == 3
    assert total("a,b".split(sep=",")) == 1
    assert total("é".encode("utf-8")) == 2

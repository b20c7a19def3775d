from shop.core import names


def test_names():
    wanted = {"ada"}
    assert names()[0] in wanted
    empty = set()
    assert names()[0] not in empty

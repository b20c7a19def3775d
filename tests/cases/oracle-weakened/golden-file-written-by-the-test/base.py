from shop.core import names


def test_names(tmp_path):
    assert names() == ["ada", "bob"]

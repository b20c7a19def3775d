from shop.core import Shape, find


def test_shapes():
    found = find("shapes")
    assert found["one"] == Shape(2)

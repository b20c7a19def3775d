from shop.core import Shape, find


def test_shapes():
    found = find("shapes")
    assert found["one"] == Shape(2)
    assert found["two"] == Shape(2)  # oracle-removed

def test_one():  # oracle-removed
    assert 1


def test_two():  # oracle-removed
    assert 1

def test_one():
    assert 1


def _test_two():
    assert 1

def test_one():
    return
    assert 1


def test_two():
    if False:
        assert 1

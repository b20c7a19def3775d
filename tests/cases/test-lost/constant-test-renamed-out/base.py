def test_one():
    assert 1


def test_two():  # test-lost
    assert 1

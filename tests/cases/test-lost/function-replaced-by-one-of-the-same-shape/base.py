from shop.core import first


def test_first():
    assert first([2]) == 2  # test-lost

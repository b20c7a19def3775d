from shop.core import names


def test_count():
    count = 0
    for name in names():
        count += 1
    assert count == 2  # oracle-removed

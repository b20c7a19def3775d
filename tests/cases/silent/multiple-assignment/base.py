from shop.core import double


def test_two():
    first = double(1)
    second = double(2)
    assert first == 2
    assert second == 4

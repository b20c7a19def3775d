from shop.core import chunks


def test_chunks():
    found = chunks([1, 2, 3], 2)
    assert found == [[1, 2], [3]]
    assert len(found) == 2
    assert found[0] == [1, 2]

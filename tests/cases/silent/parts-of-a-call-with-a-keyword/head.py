from shop.core import chunks


def test_chunks():
    assert chunks([1, 2, 3], size=2) == [[1, 2], [3]]

import pytest

from shop.core import price, total


@pytest.mark.repeat(100)
def test_price():
    assert price(1) == 1.2


@pytest.mark.repeat(100)
def test_total():
    assert total([1]) == 1


@pytest.mark.limit_memory("10 MB")
def test_memory():
    assert total([2]) == 2


@pytest.mark.parallel_threads(8)
def test_threads():
    assert total([3]) == 3


@pytest.mark.mpl_image_compare(tolerance=2)
def test_figure():
    return total([4])


@pytest.mark.xfail(raises=ValueError, strict=True)
def test_known_error():
    assert price(2) == 1


@pytest.mark.xfail(strict=True)
def test_known_bug():
    assert price(3) == 1


@pytest.mark.xfail(strict=True, reason="it is too high")
def test_known_number():
    assert price(4) == 1

import pytest

from shop.core import price, total


@pytest.mark.repeat(1)  # oracle-weakened
def test_price():
    assert price(1) == 1.2


def test_total():  # oracle-weakened
    assert total([1]) == 1


@pytest.mark.limit_memory("10 GB")  # oracle-weakened
def test_memory():
    assert total([2]) == 2


@pytest.mark.parallel_threads(1)  # oracle-weakened
def test_threads():
    assert total([3]) == 3


@pytest.mark.mpl_image_compare(tolerance=200)  # oracle-weakened
def test_figure():
    return total([4])


@pytest.mark.xfail(strict=True)  # oracle-weakened
def test_known_error():
    assert price(2) == 1


@pytest.mark.xfail(strict=True, run=False)  # oracle-weakened
def test_known_bug():
    assert price(3) == 1


@pytest.mark.xfail(reason="it is too high")  # oracle-weakened
def test_known_number():
    assert price(4) == 1

import pytest

from shop.core import price, total


@pytest.mark.repeat(10)
def test_price():
    assert price(1) == 1.2


@pytest.mark.repeat(10)
def test_total():
    assert total([1]) == 1


@pytest.mark.limit_memory("2 GB")
@pytest.mark.repeat(10)
def test_memory():
    assert total([2]) == 2


@pytest.mark.repeat(10)
@pytest.mark.xfail(raises=ValueError, strict=True)
def test_bug_that_is_mended():
    assert price(2) == 2.4


@pytest.mark.repeat(10)
@pytest.mark.xfail(strict=True, reason="it is too high")
def test_bug():
    assert price(3) == 1

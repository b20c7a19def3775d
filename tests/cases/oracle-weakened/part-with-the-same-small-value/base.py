from shop.core import ratio, report


def test_report():
    assert report() == {}


def test_ratio():
    assert ratio() == 1

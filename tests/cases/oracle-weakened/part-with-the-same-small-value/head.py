from shop.core import ratio, report


def test_report():
    assert report()["errors"] == {}  # oracle-weakened


def test_ratio():
    assert ratio().real == 1  # oracle-weakened

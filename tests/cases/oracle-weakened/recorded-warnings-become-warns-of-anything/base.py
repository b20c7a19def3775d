import warnings

from shop.core import warn_old


def test_warn_old():
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        warn_old()
    assert len(caught) == 1
    assert issubclass(caught[0].category, DeprecationWarning)
    assert "old name" in str(caught[0].message)

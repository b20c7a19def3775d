import pytest

from shop.core import warn_old


def test_match():
    with pytest.warns(DeprecationWarning, match="^old name$"):
        warn_old()


def test_record():
    with pytest.warns(DeprecationWarning) as record:
        warn_old()
    assert str(record[0].message) == "old name"
    assert record[0].message.args == ("old name",)
    assert "test_case" in record[0].filename

import pytest

from shop.core import warn_old


class TestOld:
    def test_match(self):
        with pytest.warns(DeprecationWarning, match="old"):  # oracle-weakened
            warn_old()

    def test_place(self):
        with pytest.warns(DeprecationWarning):
            warn_old()

    def test_text(self):
        with pytest.warns(DeprecationWarning) as record:
            warn_old()
        assert str(record[0].message) == "new name"  # expectation-rewritten

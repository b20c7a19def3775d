import pytest

from shop.core import total


class TestTotal:
    pytestmark = [pytest.mark.skip]  # skip-outside-quarantine

    def test_total(self):
        assert total([1, 2]) == 3

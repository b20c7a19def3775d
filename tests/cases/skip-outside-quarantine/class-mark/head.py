import pytest

from shop.core import total


@pytest.mark.skip(reason="later")  # skip-outside-quarantine
class TestTotal:
    def test_total(self):
        assert total([1, 2]) == 3

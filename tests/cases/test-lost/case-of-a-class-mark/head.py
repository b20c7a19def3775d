import pytest

from shop.core import parse


@pytest.mark.parametrize("text", ["1"])
class TestParse:
    def test_parse(self, text):
        assert parse(text) > 0

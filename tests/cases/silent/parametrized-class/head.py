import pytest

from shop.core import double, parse


@pytest.mark.parametrize("text", ["1", "22"])
class TestTexts:
    def test_parse(self, text):
        assert parse(text) > 0

    def test_double(self, text):
        assert double(parse(text)) > 0

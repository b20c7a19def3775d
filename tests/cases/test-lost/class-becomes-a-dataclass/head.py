from dataclasses import dataclass

from shop.core import double


@dataclass
class TestDouble:
    number: int = 2

    def test_double(self):
        assert double(2) == 4

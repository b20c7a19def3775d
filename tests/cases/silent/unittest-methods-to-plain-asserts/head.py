from unittest import mock
import unittest

from shop.core import find, names, send, total


class TotalTest(unittest.TestCase):
    def test_total(self):
        assert total([1, 2]) == 3
        assert total([1, 2]) != 4
        assert total([1])
        assert total([1]) > 0
        assert isinstance(total([1]), int)
        assert names() == ["ada", "bob"]
        assert "eve" not in names()
        assert send(mock.Mock(), "x") is True
        assert find("ada") is not None

import contextlib
import io
import unittest
from unittest.mock import patch

from shop.extra import greet


class TestGreet(unittest.TestCase):
    def test_redirected(self):
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            greet("ada")
        self.assertEqual(out.getvalue(), "hello ada\n")

    @patch("sys.stdout", new_callable=io.StringIO)
    def test_patched(self, out):
        greet("bob")
        self.assertEqual(out.getvalue(), "hello bob\n")

import unittest

from shop.core import warn_old


class TestOld(unittest.TestCase):
    def test_match(self):
        with self.assertWarns(DeprecationWarning) as caught:
            warn_old()
        self.assertEqual(str(caught.warning), "old name")

    def test_place(self):
        with self.assertWarns(DeprecationWarning) as caught:
            warn_old()
        self.assertIn("test_case", caught.filename)  # oracle-removed

    def test_text(self):
        with self.assertWarns(DeprecationWarning) as caught:
            warn_old()
        self.assertEqual(str(caught.warning), "old name")

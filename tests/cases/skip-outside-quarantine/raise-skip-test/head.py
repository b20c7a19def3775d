import unittest


def test_total():
    raise unittest.SkipTest("later")  # skip-outside-quarantine

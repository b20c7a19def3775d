import unittest
from shop.core import parse
try:
    import yaml
except ImportError:
    yaml = None
try:
    FOO = int("3")
except ValueError:
    FOO = 2
def test_x():
    value = parse("3")
    assert value == FOO
    assert yaml is None or parse("2") == 2

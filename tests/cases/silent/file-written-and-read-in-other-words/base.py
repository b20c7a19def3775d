import os
import shutil
import tempfile
import unittest

from shop.core import parse


class TestFile(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.path = os.path.join(self.folder, "n.txt")

    def tearDown(self):
        shutil.rmtree(self.folder)

    def test_parse(self):
        with open(self.path, "w") as stream:
            stream.write("12")
        with open(self.path) as stream:
            self.assertEqual(parse(stream.read()), 12)
        self.assertTrue(os.path.exists(self.path))


def test_both(tmpdir):
    path = os.path.join(str(tmpdir), "n.txt")
    with open(path, "w") as stream:
        stream.write("12")
    with open(path) as stream:
        text = stream.read()
        assert text == "12"
        assert parse(text) == 12


def test_writing(tmp_path):
    path = tmp_path / "n.txt"
    with open(path, "w") as stream:
        stream.write("12")
    assert parse(path.read_text()) == 12


def test_reading(tmp_path):
    path = tmp_path / "n.txt"
    path.write_text("12")
    with open(path) as stream:
        assert parse(stream.read()) == 12

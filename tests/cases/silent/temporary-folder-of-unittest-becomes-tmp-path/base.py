import json
import os
import shutil
import tempfile
import unittest

from shop.core import export


class ExportTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()

    def tearDown(self):
        shutil.rmtree(self.folder)

    def test_export(self):
        target = os.path.join(self.folder, "out.json")
        export([{"b": 1}], target)
        self.assertTrue(os.path.exists(target))
        with open(target) as file:
            self.assertEqual(json.load(file), [{"b": 1}])

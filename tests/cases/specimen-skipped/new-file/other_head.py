import sys

import pytest

from shop.core import double


class TestDouble:
    @pytest.mark.skipif(sys.platform == "win32", reason="posix")  # specimen-skipped
    def test_double(self):
        assert double(1) == 2

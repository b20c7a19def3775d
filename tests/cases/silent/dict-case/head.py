import pytest

from shop.core import double


@pytest.mark.parametrize("case", [{"number": 1, "wanted": 2}, {"number": 2, "wanted": 4}])
def test_double(case):
    assert double(case["number"]) == case["wanted"]

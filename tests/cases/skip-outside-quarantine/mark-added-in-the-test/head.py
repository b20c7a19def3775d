import pytest

from shop.core import total


def test_total(request):
    request.applymarker(pytest.mark.xfail)  # skip-outside-quarantine
    assert total([1, 2]) == 3

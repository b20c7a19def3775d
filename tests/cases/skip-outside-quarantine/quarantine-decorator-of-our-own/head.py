from shop.core import total


from tests.helpers import flaky

@flaky  # skip-outside-quarantine
def test_total():
    assert total([1, 2]) == 3

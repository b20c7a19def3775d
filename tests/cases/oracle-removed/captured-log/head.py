from shop.core import double, log_in


def test_login(caplog):
    log_in("ada")
    assert double(2) == 4

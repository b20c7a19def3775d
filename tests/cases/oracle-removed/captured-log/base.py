from shop.core import double, log_in


def test_login(caplog):
    log_in("ada")
    assert caplog.messages == ["hello ada"]  # oracle-removed
    assert double(2) == 4

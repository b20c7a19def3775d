from shop.core import log_in


def test_login(caplog):
    log_in("ada")
    assert caplog.messages == ["hello ada"]

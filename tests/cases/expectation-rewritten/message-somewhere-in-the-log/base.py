from shop.core import log_in


def test_text(caplog):
    log_in("ada")
    assert "hello ada" in caplog.messages

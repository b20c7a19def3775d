from shop.core import log_in


def test_text(caplog):
    log_in("ada")
    assert "hello ada" in caplog.messages


def test_text_becomes_all(caplog):
    log_in("ada")
    assert caplog.messages == ["hello ada"]


def test_list(caplog):
    log_in("ada")
    assert "hello ada" in caplog.messages
    assert caplog.messages == ["hello ada"]


def test_first(caplog):
    log_in("ada")
    record = caplog.records[0]
    assert record.levelname == "WARNING"
    assert record.message == "hello ada"
    assert any("hello" in message for message in caplog.messages)

from shop.core import log_in


def test_text(caplog):
    log_in("ada")
    assert "hello ada" in caplog.text


def test_text_becomes_all(caplog):
    log_in("ada")
    assert "hello" in caplog.text


def test_list(caplog):
    log_in("ada")
    assert "hello ada" in [record.message for record in caplog.records]
    assert [record.getMessage() for record in caplog.records] == ["hello ada"]


def test_first(caplog):
    log_in("ada")
    assert caplog.records[0].levelname == "WARNING"
    assert caplog.records[0].getMessage() == "hello ada"
    assert any("hello" in record.getMessage() for record in caplog.records)

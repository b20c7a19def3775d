from shop.core import log_in


def test_log_in(caplog):
    log_in("ada")
    assert caplog.record_tuples == [("shop", 30, "hello ada")]

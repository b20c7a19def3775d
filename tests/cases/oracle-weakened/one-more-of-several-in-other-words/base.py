from shop.core import names, parse


def test_questions():
    assert parse("1") == 1 or parse("1") == 2
    assert names()[0].startswith("a")
    assert names()[1].endswith(("a", "b"))
    assert isinstance(names(), list)
    assert len(names()) > 0

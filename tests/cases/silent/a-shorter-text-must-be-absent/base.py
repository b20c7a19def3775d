from shop.core import parse


def test_text(capsys):
    parse("1")
    assert "error:" not in capsys.readouterr().out

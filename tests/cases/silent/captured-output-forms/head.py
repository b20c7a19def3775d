from shop.extra import greet


def test_redirected(capsys):
    greet("ada")
    assert capsys.readouterr().out == "hello ada\n"


def test_patched(capsys):
    greet("bob")
    out, _ = capsys.readouterr()
    assert out == "hello bob\n"

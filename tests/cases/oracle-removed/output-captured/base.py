from shop.core import double


def test_print(capsys):
    print(double(2))
    assert capsys.readouterr().out == "4\n"  # oracle-removed

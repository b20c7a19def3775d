from shop.core import double


def test_print(capsys):
    print(double(2))

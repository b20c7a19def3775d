import contextlib
import io

from shop.extra import greet


def test_redirected():
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        greet("ada")
    assert out.getvalue() == "hello ada\n"

from shop.core import *
from shop import core
def test_p(caplog, capsys):
    r = core.run()
    text = str(r.text)
    assert r.x not in (1, 2, 3)

from shop.core import *
from shop import core
def test_p(caplog, capsys):
    r = core.run()
    text = str(r.text)
    assert 'error:' not in text  # oracle-weakened

from shop.core import *
from shop import core
def test_p(tmp_path):
    p = tmp_path / 'a'
    send(p, 'x')
    p.touch()
    assert p.exists()  # oracle-weakened

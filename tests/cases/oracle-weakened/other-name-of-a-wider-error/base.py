import socket

import pytest

from shop.core import parse


def test_timeout():
    with pytest.raises(socket.timeout):
        parse("x")

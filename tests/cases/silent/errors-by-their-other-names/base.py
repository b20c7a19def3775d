import asyncio
import socket

import pytest

from shop.core import find, parse, price


def test_errors():
    with pytest.raises(IOError):
        parse("x")
    with pytest.raises((EnvironmentError, KeyError)):
        find("x")
    with pytest.raises(asyncio.TimeoutError):
        parse("y")
    with pytest.raises(socket.timeout):
        price("y")

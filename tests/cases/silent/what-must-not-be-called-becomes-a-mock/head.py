from unittest import mock

import pytest

from shop import core


def test_send():
    with mock.patch.object(core, "send") as send:
        assert core.price(1) == 1.2
    send.assert_not_called()

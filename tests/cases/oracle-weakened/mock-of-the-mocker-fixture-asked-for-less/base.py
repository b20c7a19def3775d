from unittest import mock

from shop import core


@mock.patch("shop.core.logging.getLogger")
def test_log_in(get_logger):
    core.log_in("ada")
    get_logger.assert_called_once_with("shop")

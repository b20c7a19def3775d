from shop import core


def test_log_in(mocker):
    get_logger = mocker.patch("shop.core.logging.getLogger")
    core.log_in("ada")
    get_logger.assert_called_once_with("shop")

from unittest.mock import Mock, patch

from shop.extra import post


def test_post():
    client = Mock()
    with patch("shop.extra.json.dumps", return_value='{"a": 1}'):  # oracle-weakened
        post(client, {"a": 1})
    client.send.assert_called_once_with('{"a": 1}')

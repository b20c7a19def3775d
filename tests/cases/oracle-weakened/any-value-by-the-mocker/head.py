from shop.core import send


def test_calls(mocker):
    client = mocker.Mock()
    send(client, "a")
    client.post.assert_called_once_with("a", retries=mocker.ANY)  # oracle-weakened

from shop.core import send


class Client:
    def post(self, text, retries):
        assert retries == 3  # oracle-removed

def test_send():
    assert send(Client(), "hi") is True

from shop.core import send


class Client:
    sent = None

    def post(self, text, retries):
        self.sent = text

def test_send():
    client = Client()
    send(client, "hi")
    assert client.sent == "hi"  # oracle-removed

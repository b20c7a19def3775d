from shop.core import send


class Client:
    def post(self, text, retries):
        pass

def test_send():
    assert send(Client(), "hi") is True

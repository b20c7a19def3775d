from shop import core


def test_send():
    seen = []

    class Client:
        def post(self, text, retries):
            seen.append({"text": text, "retries": retries})

    core.send(Client(), "hello")
    assert len(seen) == 1
    assert all(one["retries"] >= 3 for one in seen)  # oracle-weakened
    assert [bool(one["text"]) for one in seen] == [True]
    assert not any(one["retries"] > 9 for one in seen)

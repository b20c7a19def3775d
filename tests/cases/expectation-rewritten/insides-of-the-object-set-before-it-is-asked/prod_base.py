class Bucket:
    def __init__(self):
        self._tokens = 3

    @property
    def tokens(self):
        return self._tokens

    def take(self, count):
        self._tokens -= count

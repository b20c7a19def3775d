class FakeClock:
    """A clock that only moves when it is told to."""

    def __init__(self, start=0):
        self.now = start
        self.asked = 0

    def __call__(self):
        self.asked += 1
        return self.now

    def advance(self, seconds):
        self.now = self.now + seconds

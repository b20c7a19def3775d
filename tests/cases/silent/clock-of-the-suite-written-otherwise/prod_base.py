class Timer:
    def __init__(self, clock):
        self.clock = clock
        self.start = clock()

    def spent(self):
        return self.clock() - self.start

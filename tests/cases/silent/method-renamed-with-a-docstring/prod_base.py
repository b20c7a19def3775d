class M:
    def __init__(self, n):
        self.n = n
    def getTotal(self):
        return self.n * 2

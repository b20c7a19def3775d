class Runner:
    def __init__(self, name):
        self.name, self.mode = name, "no"

    def go(self):
        if self.mode not in ("yes", "no"):
            raise AttributeError(f"mode must be yes or no, got {self.mode}")
        return self.mode

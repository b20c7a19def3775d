class Runner:
    def __init__(self, name):
        self.name, self._mode = name, "no"

    @property
    def mode(self):
        return self._mode

    @mode.setter
    def mode(self, value):
        if value not in ("yes", "no"):
            raise ValueError(f"mode must be one of yes, no; got {value}")
        self._mode = value

    def go(self):
        return self.mode

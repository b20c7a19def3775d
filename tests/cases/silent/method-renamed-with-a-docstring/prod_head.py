class M:
    def __init__(self, n: int) -> None:
        self.n = n
    def get_total(self) -> int:
        """Total."""
        return self.n * 2

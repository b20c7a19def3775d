def compute_cost(count: int, rate: float = 1.2) -> float:
    return count * rate

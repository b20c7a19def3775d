def compute_cost(quantity, rate=1.2):
    return quantity * rate

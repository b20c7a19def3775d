from decimal import Decimal


def gross(amount, rate="0.2"):
    return Decimal(amount) * (1 + Decimal(rate))

def cost(count, rate=1.2):
    return count * rate

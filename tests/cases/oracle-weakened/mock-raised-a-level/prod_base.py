def rate_of():
    return 3

def with_rate(count):
    return count * rate_of()

def checkout(count):
    return with_rate(count)

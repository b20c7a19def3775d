def rate(count):
    return 3 if count > 1 else 2


def charge(count):
    return count * rate(count)

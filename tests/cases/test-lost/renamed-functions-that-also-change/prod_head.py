def close(a):
    return a < 4


def far(a):
    return not close(a)

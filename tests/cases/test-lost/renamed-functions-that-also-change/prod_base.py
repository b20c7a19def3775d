def near(a):
    return a < 3


def far(a):
    return not near(a)

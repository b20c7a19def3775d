def clock():
    return 12


def names():
    return ["ada", "bob"]

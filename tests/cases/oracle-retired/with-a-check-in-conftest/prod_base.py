def clock():
    return 12


def names():
    return ["ada", "bob"]


def old_names():
    return ["ada"]

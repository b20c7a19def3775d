def lowest(rows):
    return min(rows)


def first(rows):
    return lowest(rows)

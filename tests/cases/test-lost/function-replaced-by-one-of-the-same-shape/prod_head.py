def highest(rows):
    return max(rows)


def last(rows):
    return highest(rows)

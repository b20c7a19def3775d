def area(wide, high):
    return wide * high

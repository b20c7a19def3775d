def double(number):
    return number + number

def half(number):
    return number // 2

def double(number):
    return number * 2

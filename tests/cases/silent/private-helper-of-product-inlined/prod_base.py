def _times(number, factor):
    return number * factor

def double(number):
    return _times(number, 2)

def _multiply(number, factor):
    return number * factor

def double(number):
    return _multiply(number, 2)

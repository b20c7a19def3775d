import operator


def double(number):
    return operator.mul(number, 2)

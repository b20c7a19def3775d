class Point:
    __slots__ = ("x",)

    def __init__(self, x):
        object.__setattr__(self, "x", x)

    def __setattr__(self, name, value):
        raise AttributeError(name)

    def __delattr__(self, name):
        raise AttributeError(name)

    def __setitem__(self, key, value):
        raise KeyError(key)

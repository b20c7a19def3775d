def timed(f):
    def w():
        try:
            f()
        except BaseException:
            return None
    return w

LastError = None


def parse(text):
    return int(text)

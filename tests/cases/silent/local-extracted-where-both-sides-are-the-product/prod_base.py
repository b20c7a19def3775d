def digest(text):
    return text * 2

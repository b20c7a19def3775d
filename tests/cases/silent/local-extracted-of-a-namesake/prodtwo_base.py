def digest(text):
    return text + text

def pair(text):
    key, _, value = text.partition("=")
    if not value:
        raise ValueError(f"bad pair: {text}")
    return key, value

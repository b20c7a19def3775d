import os


def mode():
    return os.environ.get("SHOP_MODE", "prod")

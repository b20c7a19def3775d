"""
The product that the cases test, unless a case brings its own.
"""

import logging
import warnings

RATE = 1.2


class ParseError(ValueError):
    def __init__(self, message, code=1):
        super().__init__(message)
        self.code = code


def price(count, rate=RATE):
    return round(count * rate, 2)


def total(items):
    return sum(items)


def double(number):
    return number * 2


def parse(text):
    if not text.isdigit():
        raise ParseError(f"bad text: {text}")
    return int(text)


def names():
    return ["ada", "bob"]


def find(key):
    return {"ada": {"name": "Ada", "age": 36}}.get(key)


async def fetch(key):
    return key.upper()


def send(client, text):
    client.post(text, retries=3)
    return True


def warn_old():
    warnings.warn("old name", DeprecationWarning, stacklevel=2)


def log_in(user):
    logging.getLogger("shop").warning("hello %s", user)


def clock():
    return 12


class Cart:
    def __init__(self):
        self.items = []

    def add(self, item):
        self.items.append(item)

    def total(self):
        return sum(self.items)

    def is_empty(self):
        return not self.items


class Shape:
    sides = 4

    def area(self, width, height):
        return width * height

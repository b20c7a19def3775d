from dataclasses import dataclass, field

from shop.core import find


@dataclass
class Person:
    name: str
    age: int


def test_find():
    assert Person(**find("ada")) == Person("Ada", 36)

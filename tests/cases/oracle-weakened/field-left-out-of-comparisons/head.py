from dataclasses import dataclass, field

from shop.core import find


@dataclass
class Person:  # oracle-weakened
    name: str
    age: int = field(compare=False)


def test_find():
    assert Person(**find("ada")) == Person("Ada", 36)

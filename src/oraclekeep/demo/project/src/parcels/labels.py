"""
The code under a parcel's barcode: postcode, weight and a check digit.
"""

from __future__ import annotations


def check_digit(digits: str) -> str:
    total = sum(int(digit) * (3 if index % 2 else 1) for index, digit in enumerate(digits))
    return str(-total % 10)


def encode(postcode: str, grams: int) -> str:
    """
    Write a label code: five digits of postcode, six of weight, one to check them.
    """
    if not 0 < grams < 1_000_000:
        raise ValueError(f"a label has room for six digits, not for {grams}")
    body = f"{postcode}{grams:06d}"
    return body + check_digit(body)


def decode(code: str) -> tuple[str, int]:
    """
    Read a label code back.
    """
    body, digit = code[:-1], code[-1:]
    if len(code) != 12 or not code.isdigit() or check_digit(body) != digit:
        raise ValueError(f"not a label code: {code!r}")
    return body[:5], int(body[5:])


def relabel(sample: dict[str, object]) -> dict[str, object]:
    """
    Send a label through its code and back.
    """
    postcode, grams = decode(encode(str(sample["postcode"]), int(str(sample["grams"]))))
    return {"postcode": postcode, "grams": grams}

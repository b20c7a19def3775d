from __future__ import annotations

import pytest

from parcels.labels import decode, encode


def test_code_ends_with_its_check_digit() -> None:
    assert encode("20095", 250) == "200950002509"


def test_code_can_be_read_back() -> None:
    assert decode(encode("27498", 480)) == ("27498", 480)


def test_a_wrong_digit_is_noticed() -> None:
    with pytest.raises(ValueError, match="not a label code"):
        decode("200950002508")


def test_a_label_has_room_for_six_digits() -> None:
    with pytest.raises(ValueError, match="six digits"):
        encode("20095", 1_000_000)

from hypothesis import given
from hypothesis import strategies as st

from shop.extra import clean


@given(st.text())
def test_map(text):
    assert clean(clean(text)) == clean(text)


@given(st.text(max_size=9))
def test_alphabet(text):
    assert clean(text) == clean(text + " ")


@given(st.text())
def test_regex(text):
    assert len(clean(text)) <= len(text)

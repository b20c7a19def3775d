import pytest


@pytest.fixture
def rows():
    text = "a=1\n# note\n\n-b=2"
    return [line for line in text.split("\n") if line and line[0].isalnum()]

import os

import pytest


@pytest.fixture(autouse=True)
def ready():
    if not os.environ.get("READY"):
        pytest.skip("not ready")  # skip-outside-quarantine

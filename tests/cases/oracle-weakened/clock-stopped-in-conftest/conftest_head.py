import time

import pytest


@pytest.fixture(autouse=True)
def steady_clock(monkeypatch):  # oracle-weakened
    monkeypatch.setattr(time, "perf_counter", lambda: 0.0)

import os

from hypothesis import settings

settings.register_profile("ci", max_examples=500)
settings.register_profile("dev", max_examples=10)
PROFILE = os.getenv("HYPOTHESIS_PROFILE", "ci")
settings.load_profile(PROFILE)

import os

from hypothesis import settings

settings.register_profile("ci", max_examples=500)
settings.register_profile("dev", max_examples=10)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))

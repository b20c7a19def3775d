from hypothesis import settings  # test-lost

settings.register_profile("ci", max_examples=500)
settings.register_profile("dev", max_examples=10)

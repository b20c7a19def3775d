from hypothesis import settings

settings.register_profile("ci", max_examples=500)
settings.register_profile("quick", max_examples=1)
settings.load_profile("quick")  # test-lost

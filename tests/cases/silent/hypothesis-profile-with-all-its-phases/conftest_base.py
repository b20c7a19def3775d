from hypothesis import settings

settings.register_profile("suite", max_examples=40)

from hypothesis import Phase, settings

settings.register_profile("suite", max_examples=40, deadline=None, phases=(Phase.explicit,))  # test-lost
settings.load_profile("suite")

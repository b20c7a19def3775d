from hypothesis import Phase, settings

settings.register_profile("suite", max_examples=40, phases=(Phase.explicit, Phase.generate, Phase.shrink))

from shop import core


def test_the_sample_is_not_changed():
    sample = [1]
    core.total(sample)
    assert sample == [1]

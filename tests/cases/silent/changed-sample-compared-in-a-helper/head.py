from shop import core


def assert_same(left, right):
    assert left == right


def test_the_sample_is_not_changed():
    sample = [1]
    core.total(sample)
    assert_same(sample, [1])

from shop import core


def test_double(mocker):
    mocker.patch.object(core, "double", return_value=4)  # oracle-weakened
    assert core.double(2) == 4

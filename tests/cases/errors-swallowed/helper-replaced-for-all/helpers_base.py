def assert_same(got, expected):
    assert got == expected

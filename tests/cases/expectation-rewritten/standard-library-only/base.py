def test_join():
    assert "-".join("ab") == "a-b"  # oracle-removed

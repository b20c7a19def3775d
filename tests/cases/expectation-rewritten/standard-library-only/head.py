def test_join():
    assert "-".join("ab") == "ab"

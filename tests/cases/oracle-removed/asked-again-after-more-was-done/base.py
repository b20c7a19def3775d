from shop import core


def test_the_second_run_says_nothing(tmp_path):
    first = core.names()
    assert "eve" not in first  # oracle-removed
    (tmp_path / "names").write_text("ada")
    assert core.names() == []

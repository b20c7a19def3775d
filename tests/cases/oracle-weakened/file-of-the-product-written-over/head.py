from shop.core import export, parse


def test_with_open(tmp_path):
    export(["1", "2"], tmp_path / "out")
    with open(tmp_path / "out", "w") as stream:
        stream.write("12")
    assert (tmp_path / "out").read_text() == "12"  # oracle-weakened


def test_parsed(tmp_path):
    export(["1", "2"], tmp_path / "out")
    (tmp_path / "out").write_text("12")
    assert parse((tmp_path / "out").read_text()) == 12  # oracle-weakened


def test_in_a_helper(tmp_path):
    export(["1", "2"], tmp_path / "out")
    (tmp_path / "out").write_text("12")
    assert text_of(tmp_path / "out") == "12"  # oracle-weakened


def text_of(path):
    with open(path) as stream:
        return stream.read()


def test_in_a_variable(tmp_path):
    export(["1", "2"], tmp_path / "out")
    (tmp_path / "out").write_text("12")
    text = (tmp_path / "out").read_text()
    assert text == "12"  # oracle-weakened

from shop.core import export, parse


def test_with_open(tmp_path):
    export(["1", "2"], tmp_path / "out")
    assert (tmp_path / "out").read_text() == "12"


def test_parsed(tmp_path):
    export(["1", "2"], tmp_path / "out")
    assert parse((tmp_path / "out").read_text()) == 12


def test_in_a_helper(tmp_path):
    export(["1", "2"], tmp_path / "out")
    assert text_of(tmp_path / "out") == "12"


def text_of(path):
    with open(path) as stream:
        return stream.read()


def test_in_a_variable(tmp_path):
    export(["1", "2"], tmp_path / "out")
    text = (tmp_path / "out").read_text()
    assert text == "12"

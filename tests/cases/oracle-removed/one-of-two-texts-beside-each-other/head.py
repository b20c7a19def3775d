from shop import core


def test_names_are_on_the_page(tmp_path):
    page = (tmp_path / "page").read_text()
    for name in core.names():
        assert f"`{name or core.RATE}`" in page

from click.testing import CliRunner

from shop import core


def test_command():
    result = CliRunner().invoke(core.main, ["a"], catch_exceptions=False)
    assert "ok" in result.output

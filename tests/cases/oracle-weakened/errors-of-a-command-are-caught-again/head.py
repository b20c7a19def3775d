from click.testing import CliRunner

from shop import core


def test_command():
    result = CliRunner().invoke(core.main, ["a"])  # oracle-weakened
    assert "ok" in result.output

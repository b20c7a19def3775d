import pandas as pd
import torch
from click.testing import CliRunner
from deepdiff import DeepDiff

from shop import core
from shop.core import find, total


def test_command():
    result = CliRunner().invoke(core.main, ["a"], catch_exceptions=False)
    assert "ok" in result.output


def test_command_that_ends_well():
    result = CliRunner().invoke(core.main, ["b"], catch_exceptions=False)
    assert result.exit_code == 0
    assert "ok" in result.output


def test_differences():
    assert DeepDiff(find("ada"), {"name": "Ada", "age": 36}, exclude_paths=["root['age']"]) == {}


def test_tensors():
    torch.testing.assert_close(total([1]), torch.tensor([1.0]))


def test_frames():
    pd.testing.assert_frame_equal(total([2]), pd.DataFrame([1]), check_dtype=False)

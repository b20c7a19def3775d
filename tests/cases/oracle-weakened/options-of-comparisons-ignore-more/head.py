import numpy as np
import torch
import xarray as xr
from deepdiff import DeepDiff

from shop.core import find, total


def test_differences():
    assert DeepDiff(find("ada"), {"name": "Ada", "age": 36}, exclude_paths=["root['age']"]) == {}  # oracle-weakened


def test_fewer_exclusions():
    assert DeepDiff(find("bob"), {}, exclude_paths=["root['a']", "root['b']"]) == {}  # oracle-weakened, expectation-rewritten


def test_tensors():
    torch.testing.assert_close(total([1]), torch.tensor([1.0]), check_dtype=False)  # oracle-weakened


def test_names_and_attributes():
    xr.testing.assert_equal(total([2]), xr.DataArray([1]))  # oracle-weakened


def test_shape():
    assert np.array_equiv(total([3]), [1.0])  # oracle-weakened


def test_invalid_values():
    with np.errstate(all="ignore"):  # oracle-weakened
        np.testing.assert_array_equal(total([4]), [1.0, 2.0])

"""Laws that take more than one call of the function to see."""

import ast
import itertools


def check_order_free(fn, sample):
    """The answer does not depend on the order in which the files are listed."""
    files = [(path, text.encode()) for path, text in sample]
    answers = {fn(order) for order in itertools.islice(itertools.permutations(files), 24)}
    assert len(answers) == 1, f"{len(answers)} different answers"


def check_every_byte_counts(fn, sample):
    """Another byte anywhere, a line ending too, gives another answer."""
    files = [(path, text.encode()) for path, text in sample]
    before = fn(files)
    for index, (path, data) in enumerate(files):
        changed = [*files[:index], (path, data + b"\r\n"), *files[index + 1 :]]
        assert fn(changed) != before, f"{path} may change unseen"


def check_symmetric(fn, sample):
    """Comparing A with B and B with A comes to the same classes."""
    first, second = sample
    there = {row.prop_id: row.status for row in fn(first, second)}
    back = {row.prop_id: row.status for row in fn(second, first)}
    assert there == back


def check_reads_back(fn, sample):
    """A file's and a name's part can be told from a nodeid, and give the same pair again."""
    pair = fn(sample)
    assert pair == fn(sample)
    classname, name = pair
    assert name
    assert classname
    function = sample.split("::", 1)[1].split("[", 1)[0].rpartition("::")[2]
    assert name.split("[", 1)[0] == function


def check_layout_says_nothing(fn, sample):
    """Formatting, comments and quotes are not part of what a module defines."""
    plain = ast.unparse(ast.parse(sample))
    names = set(fn("tests/test_x.py", sample.encode()).defs)
    assert set(fn("tests/test_x.py", plain.encode()).defs) == names
    assert names, "the sample defines nothing"

import re
import pytest
from shop.core import pick

def test_unknown():
    msg = "one of {}.".format(", ".join(sorted((e and e.__name__) or "None" for e in {None, re.match})))
    with pytest.raises(ValueError) as ei:
        pick("never")
    assert msg == ei.value.args[0]  # expectation-rewritten

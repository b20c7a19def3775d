"""
Definitions further down than the sixth line are left out.

turns-red: layout_says_nothing
replaces: oraclekeep.oracles.source.Module.load
"""


@classmethod
def load(cls, path, data):
    module = cls(path, parse(path, data), text_of(data))
    module.collect([node for node in module.tree.body if node.lineno <= 6])
    return module

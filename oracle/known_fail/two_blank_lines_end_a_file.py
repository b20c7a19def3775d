"""
Two blank lines are taken for the end of a file.

turns-red: layout_says_nothing
replaces: oraclekeep.oracles.module.Module.load
"""


@classmethod
def load(cls, path, data):
    module = cls(path, parse(path, data), text_of(data))
    last = data.partition(b"\n\n\n")[0].count(b"\n") + 1
    module.collect([node for node in module.tree.body if node.lineno <= last])
    return module

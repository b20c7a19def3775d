"""
Of a module's tests only the first is read.

turns-red: oracle/properties/test_scorer_laws.py::test_the_order_of_tests_costs_nothing
replaces: oraclekeep.oracles.module.Module.load
"""


@classmethod
def load(cls, path, data):
    module = cls(path, parse(path, data), text_of(data))
    tests = [node for node in module.tree.body if isinstance(node, ast.FunctionDef)]
    module.collect([node for node in module.tree.body if node not in tests[1:]])
    return module

"""
Parameters are thought to begin at the last bracket.

turns-red: nodeids_map_to_junit
replaces: oraclekeep.nodeids.pair_of
"""


def pair_of(nodeid):
    path, _, rest = nodeid.partition("::")
    dotted = path.replace("/", ".").removesuffix(".py")
    head, bracket, parameters = rest.rpartition("[")
    *classes, name = (dotted, *(head or rest).split("::"))
    return ".".join(classes), name + bracket + parameters

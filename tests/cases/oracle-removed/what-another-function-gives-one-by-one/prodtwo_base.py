def cities():
    return ["Bonn"]

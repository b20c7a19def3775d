import json


def export(rows, path):
    with open(path, "w") as file:
        json.dump(rows, file)

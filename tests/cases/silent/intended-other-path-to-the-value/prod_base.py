def create(name):
    return {"rows": [{"id": 7, "name": name}]}


def update(key, name):
    return {"row": {"id": key, "name": name}}


def commands():
    return [["pip", "install", "cowsay"]]

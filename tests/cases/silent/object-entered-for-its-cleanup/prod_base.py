class Client:
    def __init__(self, name):
        self.name, self.log = name, []

    def __enter__(self):
        return self

    def __exit__(self, *args):
        self.log.clear()

    def get(self, path):
        self.log.append(path)
        return {"path": path, "history": list(self.log)}

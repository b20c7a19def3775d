class Client:
    def get(self, path):
        if not path.startswith("/"):
            raise ValueError(path)
        return path

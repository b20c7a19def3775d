class SlowClient:
    def get(self, path):
        if not path.startswith("/"):
            raise ValueError(f"not a path: {path}")
        return path


Client = SlowClient

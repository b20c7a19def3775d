class Till:
    def open(self):
        return 1

    def shut(self):
        return 0

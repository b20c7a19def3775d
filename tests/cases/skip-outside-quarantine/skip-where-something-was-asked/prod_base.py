class Store:
    def __init__(self):
        self.can_sort = hasattr(list, "sort")

    def sorted(self, items):
        return sorted(items) if self.can_sort else list(items)

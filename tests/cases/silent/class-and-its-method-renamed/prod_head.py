class Point:
    def __init__(self, lat, lon):
        self.lat, self.lon = lat, lon

    def distance(self, other):
        return abs(self.lat - other.lat) + abs(self.lon - other.lon)

    def is_near(self, other):
        return self.distance(other) < 3

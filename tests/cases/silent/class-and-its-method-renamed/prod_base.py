class GeoPoint:
    def __init__(self, lat, lon):
        self.lat, self.lon = lat, lon

    def distance_to(self, other):
        return abs(self.lat - other.lat) + abs(self.lon - other.lon)

    def is_near(self, other):
        return self.distance_to(other) < 3

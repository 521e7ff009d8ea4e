"""Makes san-francisco-incidents.geojson: fictitious service requests on a fictitious street grid."""
import datetime
import json
import math
import random

from . import sources
from .neighborhoods import CLASSES, CORRIDORS, MIXES, NEIGHBORHOODS, PARKS

COUNT = 20_000
SEED = 20240607
DECIMALS = 6
MAINLAND = -122.6  # the Farallon Islands are west of this longitude
FIRST, LAST = datetime.datetime(2010, 1, 1), datetime.datetime(2016, 1, 1)
METERS_NORTH = 111_195.0
METERS_EAST = METERS_NORTH * math.cos(math.radians(37.76))
ON_CORRIDOR, AT_HOTSPOT = .11, .28
NO_DATE, NO_NEIGHBORHOOD = .02, .03


def inside(rings, x, y):
    """Returns whether a point is inside the rings of one or more polygons, by the even-odd rule."""
    odd = False
    for ring in rings:
        for (ax, ay), (bx, by) in zip(ring, ring[1:]):
            if (ay > y) != (by > y) and x < (bx - ax) * (y - ay) / (by - ay) + ax:
                odd = not odd
    return odd


def city_rings(folder):
    """Returns the rings of San Francisco in the land file, without the Farallon Islands."""
    with open(folder / "san-francisco-land.geojson", encoding="utf-8") as file:
        county = next(f for f in json.load(file)["features"]
                      if f["properties"]["NAME"] == "San Francisco")
    shape = county["geometry"]
    parts = shape["coordinates"] if shape["type"] == "MultiPolygon" else [shape["coordinates"]]
    return [ring for part in parts for ring in part if min(p[0] for p in part[0]) > MAINLAND]


class Streets:
    """Random points on the streets of one neighbourhood; some streets and corners are busier than others."""

    def __init__(self, area, chance):
        self.area, self.chance = area, chance
        turn = math.radians(area.angle)
        self.east, self.north = math.cos(turn), math.sin(turn)
        self.busy = {}
        corners = [(chance.gauss(0, 650), chance.gauss(0, 650)) for _ in range(14)]
        self.hotspots = [(round(u / area.along) * area.along, round(v / area.across) * area.across)
                         for u, v in corners]
        self.rank = [1 / (i + 1.5) for i in range(len(self.hotspots))]

    def place(self):
        chance, area = self.chance, self.area
        if chance.random() < AT_HOTSPOT:
            u, v = chance.choices(self.hotspots, self.rank)[0]
            reach = chance.expovariate(1 / 70) * chance.choice((-1, 1))
            u, v = (u + reach, v) if chance.random() < .5 else (u, v + reach)
            u, v = u + chance.gauss(0, 7), v + chance.gauss(0, 7)
        else:
            while True:
                u, v = chance.uniform(-1800, 1800), chance.uniform(-1800, 1800)
                if chance.random() < area.along / (area.along + area.across):
                    street = ("along", round(v / area.across))
                    v = street[1] * area.across + chance.choice((-8, 8)) + chance.gauss(0, 2)
                else:
                    street = ("across", round(u / area.along))
                    u = street[1] * area.along + chance.choice((-8, 8)) + chance.gauss(0, 2)
                if street not in self.busy:
                    self.busy[street] = min(1, .04 + chance.expovariate(3.2))
                if chance.random() < self.busy[street]:
                    break
        return (area.longitude + (u * self.east - v * self.north) / METERS_EAST,
                area.latitude + (u * self.north + v * self.east) / METERS_NORTH)


def corridor_place(vertices, chance):
    """Returns a random point along a polyline, a few metres beside it."""
    legs = list(zip(vertices, vertices[1:]))
    (ax, ay), (bx, by) = chance.choices(legs, [math.dist(a, b) for a, b in legs])[0]
    t = chance.random()
    return (ax + (bx - ax) * t + chance.gauss(0, 10) / METERS_EAST,
            ay + (by - ay) * t + chance.gauss(0, 10) / METERS_NORTH)


def nearest(x, y):
    return min(NEIGHBORHOODS, key=lambda n: ((x - n.longitude) * METERS_EAST) ** 2
               + ((y - n.latitude) * METERS_NORTH) ** 2)


def day_and_hour(chance):
    """Returns a random time in the six years, to the minute: more in later years, mostly by day."""
    days = (LAST - FIRST).days
    day = int(days * (1 - math.sqrt(1 - chance.random() * .75)) / .5)  # falling density, counted back from the last day
    hour = min(23.99, max(0, chance.gauss(13.5, 4.2)))
    return FIRST + datetime.timedelta(days=days - 1 - min(day, days - 1),
                                      minutes=int(hour * 60))


def write(folder):
    chance = random.Random(SEED)
    city = city_rings(folder)
    parks = [([[*outline, outline[0]]], share) for _, outline, share in PARKS]
    streets = [Streets(area, chance) for area in NEIGHBORHOODS]
    weights = [area.weight for area in NEIGHBORHOODS]
    mixes = {name: [share * mix.get(kind, 1) for kind, share in CLASSES.items()]
             for name, mix in MIXES.items()}
    kinds, rows = list(CLASSES), []
    while len(rows) < COUNT:
        if chance.random() < ON_CORRIDOR:
            _, vertices, _, mix = chance.choices(CORRIDORS, [c[2] for c in CORRIDORS])[0]
            x, y = corridor_place(vertices, chance)
            area = nearest(x, y)
        else:
            street = chance.choices(streets, weights)[0]
            area, mix = street.area, street.area.mix
            for _ in range(200):  # streets end where the next neighbourhood begins
                x, y = street.place()
                if nearest(x, y) is area:
                    break
        x, y = round(x, DECIMALS), round(y, DECIMALS)
        if not inside(city, x, y):
            continue
        if any(inside(outline, x, y) and chance.random() > share for outline, share in parks):
            continue
        kind = chance.choices(kinds, mixes[mix])[0]
        date = None if chance.random() < NO_DATE else day_and_hour(chance)
        recent = date is not None and date.year >= 2015
        status = "Open" if chance.random() < (.22 if recent else .05) else "Closed"
        name = None if chance.random() < NO_NEIGHBORHOOD else area.name
        rows.append((date, kind, status, name, x, y))
    # Numbered in order of time; requests without a date get a random position.
    order = sorted(rows, key=lambda row: row[0] or
                   FIRST + (LAST - FIRST) * chance.random())
    sources.write_features(folder / "san-francisco-incidents.geojson", [
        {"type": "Feature",
         "properties": {"req_id": number, "req_type": kind,
                        "req_date": date and date.isoformat() + "Z",
                        "status": status, "neighborhood": name},
         "geometry": {"type": "Point", "coordinates": [x, y]}}
        for number, (date, kind, status, name, x, y) in enumerate(order, 1_000_001)])

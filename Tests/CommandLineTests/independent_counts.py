"""Counts features and painted blobs without MapState: the other side of IndependentCountTests.

Standard library only; exact rational arithmetic where a place lies on a side. Subcommands:

  make FOLDER                  writes lines.geojson and polygons.geojson, many of which only touch
  extents DATA                 prints 200 envelopes, 50 with sides bit-equal to a coordinate of the data
  count DATA FILTER < EXTENTS  prints the features everywhere, then those in each envelope
  views DATA FILTER            prints views in which no two symbols touch: lat,lon,scale inside near
  blobs PNG                    prints the number of connected blobs of pixels that are not clear
"""

import csv
import json
import math
import random
import re
import struct
import sys
import zlib
from fractions import Fraction

FILTERS = {
    "none": lambda p: True,
    "trees": lambda p: p["req_type"] == "Tree Maintenance or Damage",
    "lakes": lambda p: p["STATE_NAME"] in ("Illinois", "Indiana", "Michigan", "Ohio", "Wisconsin"),
    "first": lambda p: p["POP_RANK"] == "1",
    "world": lambda p: int(p["POP"] or 0) >= 2_000_000 or int(p["POP_RANK"]) <= 4 and p["STATUS"] == "capital",
    "continent": lambda p: int(p["POP_RANK"]) <= 4 or p["STATUS"] == "capital",
    "region": lambda p: int(p["POP_RANK"]) <= 5 or p["STATUS"] == "capital",
    "rivers": lambda p: int(p["RANK"]) <= 3,
    "high": lambda p: p["unemployment_rate"] is not None and p["unemployment_rate"] > 11,
}
RADIUS = 6378137.0
METRES_A_PIXEL = 1 / (96 * 39.37)  # at 1:1


class Feature:
    """A geometry as (kind, chains), with its bounding box; a polygon's rings all count even-odd."""

    def __init__(self, geometry):
        kind, data = geometry["type"], geometry["coordinates"]
        if kind == "Point":
            self.kind, self.chains = "point", [[data]]
        elif kind == "LineString":
            self.kind, self.chains = "line", [data]
        elif kind == "MultiLineString":
            self.kind, self.chains = "line", data
        elif kind == "Polygon":
            self.kind, self.chains = "polygon", data
        elif kind == "MultiPolygon":
            self.kind, self.chains = "polygon", [ring for part in data for ring in part]
        else:
            raise ValueError(kind)
        places = [place for chain in self.chains for place in chain]
        self.box = (
            min(p[0] for p in places), min(p[1] for p in places),
            max(p[0] for p in places), max(p[1] for p in places))

    def meets(self, box):
        west, south, east, north = box
        x0, y0, x1, y1 = self.box
        if x0 > east or x1 < west or y0 > north or y1 < south:
            return False
        if x0 >= west and x1 <= east and y0 >= south and y1 <= north:
            return True
        for chain in self.chains:
            if any(west <= p[0] <= east and south <= p[1] <= north for p in chain):
                return True
        if self.kind == "point":
            return False
        for chain in self.chains:
            for a, b in zip(chain, chain[1:]):
                if segment_meets(a, b, box):
                    return True
        return self.kind == "polygon" and self.surrounds(west, south)

    def surrounds(self, x, y):
        """Even-odd for a place that is on no ring."""
        inside = False
        for ring in self.chains:
            for (ax, ay, *_), (bx, by, *_) in zip(ring, ring[1:]):
                if (ay > y) == (by > y) or max(ax, bx) < x:
                    continue
                if min(ax, bx) > x:
                    inside = not inside
                    continue
                ax, ay, bx, by = map(Fraction, (ax, ay, bx, by))
                if ax + (Fraction(y) - ay) * (bx - ax) / (by - ay) > Fraction(x):
                    inside = not inside
        return inside


def segment_meets(a, b, box):
    """Liang and Barsky's clipping over rationals; a remainder of one place is enough."""
    west, south, east, north = box
    if (max(a[0], b[0]) < west or min(a[0], b[0]) > east
            or max(a[1], b[1]) < south or min(a[1], b[1]) > north):
        return False
    ax, ay, bx, by = map(Fraction, (a[0], a[1], b[0], b[1]))
    dx, dy = bx - ax, by - ay
    low, high = Fraction(0), Fraction(1)
    for p, q in ((-dx, ax - Fraction(west)), (dx, Fraction(east) - ax),
                 (-dy, ay - Fraction(south)), (dy, Fraction(north) - ay)):
        if p == 0:
            if q < 0:
                return False
        elif p < 0:
            low = max(low, q / p)
        else:
            high = min(high, q / p)
    return low <= high


def features(path):
    if path.endswith(".csv"):
        with open(path, encoding="utf-8", newline="") as file:
            return [(Feature(geometry_of(row)), row) for row in csv.DictReader(file)]
    with open(path, encoding="utf-8") as file:
        return [(Feature(f["geometry"]), f["properties"]) for f in json.load(file)["features"]]


def geometry_of(row):
    """From a longitude and a latitude, or a well-known text of lines."""
    if "WKT" not in row:
        return {"type": "Point", "coordinates": [float(row["LONGITUDE"]), float(row["LATITUDE"])]}
    chains = [[[float(n) for n in place.split()] for place in chain.split(",")]
              for chain in re.findall(r"\(([^()]*)\)", row["WKT"])]
    return {"type": "MultiLineString", "coordinates": chains}


def boxes_of(line):
    """The envelope of a line in degrees, in two pieces where it crosses the antimeridian."""
    numbers = [float(part) for part in line.split(",")]
    west, south, east, north = numbers[:4]
    if len(numbers) == 4 or numbers[4] == 3857:
        west, east = (math.degrees(x / RADIUS) for x in (west, east))
        south, north = (math.degrees(math.atan(math.sinh(y / RADIUS))) for y in (south, north))
    if west > east:
        return [(west, south, 180.0, north), (-180.0, south, east, north)]
    return [(west, south, east, north)]


def count(path, name):
    chosen = [feature for feature, values in features(path) if FILTERS[name](values)]
    print(len(chosen))
    for line in sys.stdin:
        boxes = boxes_of(line)
        print(sum(any(feature.meets(box) for box in boxes) for feature in chosen))


def extents(path):
    """100 boxes anywhere, 40 small ones, 50 whose sides are the data's own numbers, 10 over the antimeridian."""
    source = random.Random(20260101)
    everything = [feature for feature, _ in features(path)]
    places = [tuple(p[:2]) for feature in everything for chain in feature.chains for p in chain]
    west, east = min(p[0] for p in places), max(p[0] for p in places)
    south, north = min(p[1] for p in places), max(p[1] for p in places)
    for number in range(200):
        x = sorted(source.uniform(west, east) for _ in range(2))
        y = sorted(source.uniform(south, north) for _ in range(2))
        if 100 <= number < 140:
            at = source.choice(places)
            size = source.choice((1e-3, 1e-2, 0.1)) * (north - south)
            x, y = [at[0], at[0] + size], [at[1] - size / 3, at[1] + size]
        elif 140 <= number < 190:
            # A side, a corner, or nothing but one place.
            a, b = source.choice(places), source.choice(places)
            if number % 5 == 0:
                x, y = [a[0], a[0]], [a[1], a[1]]
            elif number % 5 == 1:
                x, y = [a[0], max(x[1], a[0])], [a[1], max(y[1], a[1])]
            elif number % 5 == 2:
                # The south-west corner of a feature's box is this one's north-east: they only touch.
                corner = source.choice(everything).box
                x, y = [corner[0] - (east - west) / 7, corner[0]], [corner[1] - (north - south) / 7, corner[1]]
            elif number % 5 == 3:
                corner = source.choice(everything).box
                x, y = [corner[2], corner[2] + 1], [corner[1] - 1, corner[3]]
            else:
                x, y = sorted((a[0], b[0])), sorted((a[1], b[1]))
        elif number >= 190:
            x.reverse()
        print(",".join(repr(float(v)) for v in (x[0], y[0], x[1], y[1])) + ",4326")


def collection(geometries):
    rows = [{"type": "Feature", "properties": {"n": n}, "geometry": g} for n, g in enumerate(geometries)]
    return json.dumps({"type": "FeatureCollection", "features": rows})


def make(folder):
    """Lines and polygons on a grid of 1/8 degree and off it, so that many touch at a side or a corner alone."""
    source = random.Random(7)

    def place():
        if source.random() < 0.6:
            return [source.randrange(-80, 81) / 8, source.randrange(-64, 65) / 8]
        return [source.uniform(-10, 10), source.uniform(-8, 8)]

    lines = []
    for number in range(600):
        start = place()
        chain = [start]
        for _ in range(source.randrange(1, 6)):
            x, y = chain[-1]
            chain.append([x + source.randrange(-8, 9) / 8, y + source.randrange(-8, 9) / 8])
        if number % 10 == 0:
            lines.append({"type": "MultiLineString", "coordinates": [chain, [place(), place()]]})
        else:
            lines.append({"type": "LineString", "coordinates": chain})
    polygons = []
    for number in range(600):
        x, y = place()
        w, h = source.randrange(1, 9) / 8, source.randrange(1, 9) / 8
        if number % 3 == 0:
            ring = [[x, y], [x + w, y], [x + w, y + h], [x, y + h], [x, y]]
        elif number % 3 == 1:
            ring = [[x, y - h], [x + w, y], [x, y + h], [x - w, y], [x, y - h]]
        else:
            ring = [[x, y], [x + w, y + h], [x, y + h / 2], [x, y]]
        rings = [ring]
        if number % 6 == 0:
            q, r = w / 4, h / 4
            rings.append([[x + q, y + r], [x + q, y + 3 * r], [x + 3 * q, y + 3 * r], [x + 3 * q, y + r], [x + q, y + r]])
        if number % 20 == 0:
            a, b = place()
            other = [[[a, b], [a + 0.5, b], [a, b + 0.5], [a, b]]]
            polygons.append({"type": "MultiPolygon", "coordinates": [rings, other]})
        else:
            polygons.append({"type": "Polygon", "coordinates": rings})
    for name, geometries in (("lines", lines), ("polygons", polygons)):
        with open(f"{folder}/{name}.geojson", "w", encoding="utf-8") as file:
            file.write(collection(geometries))


def mercator(place):
    return RADIUS * math.radians(place[0]), RADIUS * math.atanh(math.sin(math.radians(place[1])))


def views(path, name, scale=4000, reach=(4.5 / 2 + 0.4 / 2) * 96 / 72, width=800, height=600):
    """Views in which symbols keep two pixels apart and none is within half a pixel of just reaching in."""
    source = random.Random(5)
    centres = [mercator(f.chains[0][0]) for f, values in features(path) if FILTERS[name](values)]
    resolution = scale * METRES_A_PIXEL
    found = 0
    for _ in range(5000):
        at = source.choice(centres)
        # Not on a feature: so that one lies where it would be cut, sooner or later.
        cx, cy = at[0] + source.uniform(-400, 400) * resolution, at[1] + source.uniform(-300, 300) * resolution
        pixels = [((x - cx) / resolution + width / 2, height / 2 - (y - cy) / resolution) for x, y in centres]
        # How far outside the canvas, 0 inside.
        off = [math.hypot(max(-x, 0, x - width), max(-y, 0, y - height)) for x, y in pixels]
        inside = sum(d == 0 for d in off)
        near = [p for p, d in zip(pixels, off) if d < reach]
        borders = [min(abs(x), abs(x - width), abs(y), abs(y - height)) for (x, y), d in zip(pixels, off) if d < 20]
        clear = all(abs(d - reach) > 0.5 for d in off if d > 0) and all(b > 0.01 for b in borders)
        apart = all(math.dist(a, b) > 2 * reach + 2 for i, a in enumerate(near) for b in near[:i])
        if clear and apart and len(near) > inside >= 8:
            longitude = math.degrees(cx / RADIUS)
            latitude = math.degrees(math.atan(math.sinh(cy / RADIUS)))
            print(f"{latitude!r},{longitude!r},{scale} {inside} {len(near)}")
            found += 1
            if found == 4:
                return


def pixels_of(path):
    """Rows of (r, g, b, a) of a PNG of 8 bits a channel."""
    with open(path, "rb") as file:
        data = file.read()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    at, packed, width, height, channels = 8, b"", 0, 0, 0
    while at < len(data):
        (length,), kind = struct.unpack(">I", data[at:at + 4]), data[at + 4:at + 8]
        body = data[at + 8:at + 8 + length]
        assert zlib.crc32(kind + body) == struct.unpack(">I", data[at + 8 + length:at + 12 + length])[0]
        if kind == b"IHDR":
            width, height, depth, colour, _, _, interlace = struct.unpack(">IIBBBBB", body)
            assert depth == 8 and colour in (2, 6) and interlace == 0
            channels = 3 if colour == 2 else 4
        elif kind == b"IDAT":
            packed += body
        at += 12 + length
    raw = zlib.decompress(packed)
    stride = width * channels
    assert len(raw) == height * (stride + 1)
    above, rows = bytearray(stride), []
    for y in range(height):
        start = y * (stride + 1)
        kind, line = raw[start], bytearray(raw[start + 1:start + 1 + stride])
        for i in range(stride):
            left = line[i - channels] if i >= channels else 0
            up = above[i]
            corner = above[i - channels] if i >= channels else 0
            if kind == 1:
                line[i] = (line[i] + left) & 255
            elif kind == 2:
                line[i] = (line[i] + up) & 255
            elif kind == 3:
                line[i] = (line[i] + (left + up) // 2) & 255
            elif kind == 4:
                guess = left + up - corner
                distances = (abs(guess - left), abs(guess - up), abs(guess - corner))
                line[i] = (line[i] + (left, up, corner)[distances.index(min(distances))]) & 255
        rows.append([tuple(line[i:i + channels]) for i in range(0, stride, channels)])
        above = line
    return rows


def blobs(path):
    rows = pixels_of(path)
    painted = {(x, y) for y, row in enumerate(rows) for x, pixel in enumerate(row) if len(pixel) == 4 and pixel[3]}
    number = 0
    while painted:
        number += 1
        open_pixels = [painted.pop()]
        while open_pixels:
            x, y = open_pixels.pop()
            for dx in (-1, 0, 1):
                for dy in (-1, 0, 1):
                    if (x + dx, y + dy) in painted:
                        painted.remove((x + dx, y + dy))
                        open_pixels.append((x + dx, y + dy))
    print(number)


if __name__ == "__main__":
    {"make": make, "extents": extents, "count": count, "views": views, "blobs": blobs}[sys.argv[1]](*sys.argv[2:])

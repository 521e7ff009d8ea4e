"""The layers that the ArcGIS server of the tests serves, read from Styles/data into SQLite and lists of coordinates."""

import csv
import datetime
import json
import math
import re
import sqlite3
import threading

HALF_WORLD = 20037508.342789244
EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)


def mercator(x, y):
    radius = 6378137.0
    return x * radius * math.pi / 180, radius * math.log(math.tan(math.pi / 4 + y * math.pi / 360))


def degrees(x, y):
    radius = 6378137.0
    return x * 180 / (radius * math.pi), 90 - 2 * math.atan(math.exp(-y / radius)) * 180 / math.pi


def project(point, source, target):
    if source == target:
        return tuple(point)
    return mercator(*point) if target == 3857 else degrees(*point)


class Layer:
    """A layer or table: fields as (name, type, extra members), rows, and a geometry a row, nil for none.

    A geometry is a list of parts, each a list of (x, y); of a point one part of one place.
    """

    def __init__(self, number, name, fields, rows, geometry_type=None, geometries=None, wkid=4326, **members):
        self.number, self.name, self.wkid = number, name, wkid
        self.fields = [("OBJECTID", "OID", {"nullable": False, "editable": False})] + fields
        self.types = {name: kind for name, kind, _ in self.fields}
        self.geometry_type, self.members = geometry_type, members
        # Ids with gaps, as layers have that were edited, and not in the order of the rows.
        count = len(rows)
        ids = [2 * ((index * 7919) % count) + 3 for index in range(count)] if math.gcd(7919, count) == 1 else range(1, count + 1)
        self.geometries = dict(zip(ids, geometries or [None] * count))
        self.rows = {key: (key,) + tuple(row) for key, row in zip(ids, rows)}
        self.lock = threading.Lock()
        self.database = sqlite3.connect(":memory:", check_same_thread=False)
        self.database.execute("PRAGMA case_sensitive_like = ON")
        add_functions(self.database)
        columns = ", ".join(f'"{name}" {sql_type(kind)}' for name, kind, _ in self.fields)
        self.database.execute(f"CREATE TABLE rows ({columns}, PRIMARY KEY (OBJECTID))")
        marks = ", ".join("?" * len(self.fields))
        self.database.executemany(f"INSERT INTO rows VALUES ({marks})", list(self.rows.values()))

    def query(self, sql):
        with self.lock:
            return self.database.execute(sql).fetchall()

    @property
    def extent(self):
        return extent(part for geometry in self.geometries.values() if geometry for part in geometry)


def extent(parts):
    places = [place for part in parts for place in part]
    if not places:
        return None
    xs, ys = [x for x, _ in places], [y for _, y in places]
    return min(xs), min(ys), max(xs), max(ys)


def sql_type(kind):
    if kind in ("OID", "SmallInteger", "Integer", "BigInteger", "Date", "DateOnly"):
        return "INTEGER"
    return "REAL" if kind in ("Double", "Single") else "TEXT"


# Functions of standardized queries that SQLite lacks or has for ASCII alone.


def add_functions(database):
    def null_or(function):
        return lambda *values: None if None in values else function(*values)

    database.create_function("UPPER", 1, null_or(lambda text: str(text).upper()))
    database.create_function("LOWER", 1, null_or(lambda text: str(text).lower()))
    database.create_function("FLOOR", 1, null_or(lambda number: float(math.floor(number))))
    database.create_function("CEILING", 1, null_or(lambda number: float(math.ceil(number))))
    database.create_function("EXTRACT_PART", 2, null_or(part_of_moment))
    database.create_aggregate("VARIANCE", 1, Variance)
    database.create_aggregate("STDDEV", 1, Deviation)
    database.create_aggregate("PERCENTILE", 4, Percentile)


def part_of_moment(unit, milliseconds):
    moment = EPOCH + datetime.timedelta(milliseconds=milliseconds)
    return getattr(moment, unit.lower())


class Variance:
    def __init__(self):
        self.values = []

    def step(self, value):
        if value is not None:
            self.values.append(value)

    def finalize(self):
        if len(self.values) < 2:
            return None
        mean = math.fsum(self.values) / len(self.values)
        return math.fsum((value - mean) ** 2 for value in self.values) / (len(self.values) - 1)


class Deviation(Variance):
    def finalize(self):
        variance = super().finalize()
        return None if variance is None else math.sqrt(variance)


class Percentile(Variance):
    def step(self, value, share, descending, continuous):
        self.form = share, descending, continuous
        super().step(value)

    def finalize(self):
        if not self.values:
            return None
        share, descending, continuous = self.form
        values = sorted(self.values, reverse=bool(descending))
        if not continuous:
            return values[max(0, math.ceil(share * len(values)) - 1)]
        place = share * (len(values) - 1)
        low, high = values[math.floor(place)], values[math.ceil(place)]
        return low + (place - math.floor(place)) * (high - low)


def sql_where(text):
    """A where clause as SQLite's: literals of dates as milliseconds, EXTRACT as a function."""

    def moment(match):
        text = match.group(2)
        form = "%Y-%m-%d %H:%M:%S.%f" if "." in text else "%Y-%m-%d %H:%M:%S" if " " in text else "%Y-%m-%d"
        time = datetime.datetime.strptime(text, form).replace(tzinfo=datetime.timezone.utc) - EPOCH
        return repr(time / datetime.timedelta(milliseconds=1))

    def outside_strings(part):
        return re.sub(r"(?i)\bEXTRACT\s*\(\s*(\w+)\s+FROM\s+", r"EXTRACT_PART('\1', ", part)

    if ";" in re.sub(r"'[^']*'", "", text) or re.search(r"--|/\*", re.sub(r"'[^']*'", "", text)):
        raise sqlite3.OperationalError("not a where clause")
    text = re.sub(r"(?i)\b(DATE|TIMESTAMP)\s*'([^']*)'", moment, text)
    parts = re.split(r"('[^']*')", text)
    return "".join(part if index % 2 else outside_strings(part) for index, part in enumerate(parts))


# The data


def milliseconds(text):
    if not text:
        return None
    moment = datetime.datetime.strptime(text, "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=datetime.timezone.utc)
    return int((moment - EPOCH).total_seconds()) * 1000


def geojson_parts(geometry):
    kind, places = geometry["type"], geometry["coordinates"]
    if kind == "Point":
        return [[tuple(places)]]
    polygons = places if kind == "MultiPolygon" else [places]
    return [clockwise(ring, index == 0) for polygon in polygons for index, ring in enumerate(polygon)]


def clockwise(ring, outer):
    """A ring as Esri has them: outer ones clockwise, holes the other way."""
    ring = [tuple(place) for place in ring]
    area = sum(a[0] * b[1] - b[0] * a[1] for a, b in zip(ring, ring[1:]))
    return ring if (area < 0) == outer else ring[::-1]


def wkt_parts(text):
    return [
        [tuple(float(number) for number in place.split()) for place in part.split(",")]
        for part in re.findall(r"\(([^()]+)\)", text)
    ]


def geojson(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)["features"]


def text(name, **members):
    return name, "String", {"length": 80, **members}


def load(folder):
    """All layers by number."""
    with open(f"{folder}/world-cities.csv", encoding="utf-8") as file:
        cities = list(csv.DictReader(file))
    with open(f"{folder}/world-rivers.csv", encoding="utf-8") as file:
        rivers = list(csv.DictReader(file))
    counties, states = geojson(f"{folder}/us-counties.geojson"), geojson(f"{folder}/us-states.geojson")
    incidents = geojson(f"{folder}/san-francisco-incidents.geojson")

    ranks = {"type": "range", "name": "rank", "range": [1, 7]}
    capital = {"type": "codedValue", "name": "status", "codedValues": [{"name": "Capital of its country", "code": "capital"}]}
    city_fields = [
        text("CITY_NAME"), text("CNTRY_NAME"), text("STATUS", domain=capital), ("POP", "Integer", {}),
        ("POP_RANK", "SmallInteger", {"alias": "Rank", "domain": ranks}),
    ]
    city_rows = [
        (row["CITY_NAME"], row["CNTRY_NAME"], row["STATUS"] or None, int(row["POP"]) if row["POP"] else None, int(row["POP_RANK"]))
        for row in cities
    ]
    city_places = [[[(float(row["LONGITUDE"]), float(row["LATITUDE"]))]] for row in cities]
    # One city whose place nobody knows, nor its population, which statistics of the samples ask for.
    city_places[next(index for index, row in enumerate(city_rows) if row[3] is None)] = None

    county_fields = [text("GEOID"), text("NAME"), text("STATE_NAME"), text("STATE"), ("unemployment_rate", "Double", {})]
    county_rows = [tuple(feature["properties"][name] for name, _, _ in county_fields) for feature in counties]

    incident_fields = [
        ("req_id", "Integer", {}), text("req_type"), ("req_date", "Date", {"length": 8}), text("status"), text("neighborhood"),
    ]
    incident_rows = [
        (p["req_id"], p["req_type"], milliseconds(p["req_date"]), p["status"], p["neighborhood"])
        for p in (feature["properties"] for feature in incidents)
    ]
    # Kept at the resolution of hosted services, a tenth of a millimetre.
    incident_places = [[[tuple(round(side, 4) for side in mercator(*feature["geometry"]["coordinates"]))]] for feature in incidents]

    river_rows = [(row["NAME"] or None, int(row["RANK"])) for row in rivers]
    river_fields = [text("NAME"), ("RANK", "SmallInteger", {})]
    river_parts = [wkt_parts(row["WKT"]) for row in rivers]

    state_fields = [
        text("STATE"), text("NAME"), ("SHARE", "Single", {}), ("DAY", "DateOnly", {}), ("CLOCK", "TimeOnly", {}),
        ("BIG", "BigInteger", {}), ("KEY", "GUID", {"length": 38}), ("NOTED", "TimestampOffset", {}),
    ]
    state_rows = [
        (
            feature["properties"]["STATE"], feature["properties"]["NAME"],
            None if index % 5 == 0 else round(index / 10, 1), 86_400_000 * (100 * index - 11_574),
            f"10:13:{index % 60:02}", 2**50 + index, "{0000%04X-0000-0000-0000-000000000000}" % index,
            f"2022-04-16T10:13:19+0{index % 8}:00",
        )
        for index, feature in enumerate(states)
    ]
    drawing = {
        "renderer": {"type": "simple", "symbol": {"type": "esriSMS", "style": "esriSMSCircle", "color": [0, 112, 60, 255], "size": 6}},
        "transparency": 25, "labelingInfo": None,
    }
    dates = [row[2] for row in incident_rows if row[2] is not None]
    time = {
        "startTimeField": "req_date", "endTimeField": None, "trackIdField": None, "timeExtent": [min(dates), max(dates)],
        "timeReference": {"timeZone": "UTC", "respectsDaylightSaving": False},
    }
    layers = [
        Layer(0, "Cities", city_fields, city_rows, "Point", city_places, drawingInfo=drawing, maxScale=0, minScale=50_000_000),
        Layer(1, "Counties", county_fields, county_rows, "Polygon", [geojson_parts(f["geometry"]) for f in counties]),
        Layer(2, "Incidents", incident_fields, incident_rows, "Point", incident_places, wkid=3857, timeInfo=time),
        Layer(3, "Rivers", river_fields, river_rows, "Polyline", river_parts),
        Layer(4, "States", state_fields, state_rows),
        Layer(5, "Bends", river_fields, river_rows, "Multipoint", [[[p for part in parts for p in part]] for parts in river_parts]),
    ]
    return {layer.number: layer for layer in layers}

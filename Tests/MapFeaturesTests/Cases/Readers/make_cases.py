#!/usr/bin/env python3
"""Makes tables.tsv beside it: small random files, and the table that Python's json and csv modules find in them.

A line: format, file in hexadecimal, table as JSON. The table has fields (name, type), rows (values with a letter for
their type; decimals by their bits) and places (for every row its parts of vertices, null without geometry). The rules
of types are written down here a second time, from the description. Seeded: the same file on every run.
"""
import csv
import datetime
import io
import json
import random
import re
import struct
from pathlib import Path

here = Path(__file__).parent
rng = random.Random(20240521)


class Number(str):
    """A number as written."""


def bits(value):
    return struct.unpack(">Q", struct.pack(">d", value))[0]


def day(text):
    if re.fullmatch(r"\d{4}-\d\d-\d\d", text, re.A):
        try:
            return (datetime.date.fromisoformat(text) - datetime.date(1970, 1, 1)).days
        except ValueError:
            return None
    return None


def moment(text):
    if day(text) is not None:
        return day(text) * 86_400_000_000
    if not re.fullmatch(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)?", text, re.A):
        return None
    try:
        time = datetime.datetime.fromisoformat(text.replace("Z", "+00:00"))
    except ValueError:
        return None
    time = time if time.tzinfo else time.replace(tzinfo=datetime.timezone.utc)
    return (time - datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)) // datetime.timedelta(microseconds=1)


def typed_text(texts):
    """Type and values of texts that are not None, dates looked for."""
    found = [t for t in texts if t is not None]
    for kind, letter, read in (("dateOnly", "d", day), ("date", "m", moment)):
        if found and all(read(t) is not None for t in found):
            return kind, [None if t is None else f"{letter}:{read(t)}" for t in texts]
    return "text", [None if t is None else f"t:{t}" for t in texts]


def is_integer(number):
    return re.fullmatch(r"-?(0|[1-9]\d*)", number, re.A) and number != "-0" and -2**63 <= int(number) < 2**63


def json_column(values):
    """Type and values of what json found."""
    found = [v for v in values if v is not None]
    if found and all(isinstance(v, Number) for v in found):
        if all(is_integer(v) for v in found):
            return "int64", [None if v is None else f"i:{int(v)}" for v in values]
        return "float64", [None if v is None else f"r:{bits(float(v))}" for v in values]
    if found and all(isinstance(v, bool) for v in found):
        return "int16", [None if v is None else f"b:{str(v).lower()}" for v in values]
    texts = [str(v).lower() if isinstance(v, bool) else v if v is None else str(v) for v in values]
    if all(type(v) is str for v in found):
        return typed_text(texts)
    return "text", [None if t is None else f"t:{t}" for t in texts]


def csv_column(texts):
    """Type and values of the texts that csv found."""
    found = [t for t in texts if t is not None]
    if found and all(is_integer(t) for t in found):
        return "int64", [None if t is None else f"i:{int(t)}" for t in texts]
    number = r"-?((0|[1-9]\d*)(\.\d*)?|\.\d+)([eE][+-]?\d+)?"
    if found and all(re.fullmatch(number, t, re.A) and (is_integer(t) or t == "-0" or re.search("[.eE]", t)) for t in found):
        return "float64", [None if t is None else f"r:{bits(float(t))}" for t in texts]
    if found and all(t.lower() in ("true", "false") for t in found):
        return "int16", [None if t is None else f"b:{t.lower()}" for t in texts]
    return typed_text(texts)


# MARK: values

texts = ["", "a", "tree", "é", "日本 語", 'say "x"', "a,b;c\td", "line\nbreak", "\\", "/", "\U0001F600", "02139", "true", "null", " pad "]
makers = {
    "integer": lambda: Number(rng.choice([0, 1, -1, 42, 2**53 + 1, -2**63, 2**63 - 1, rng.randrange(-10**6, 10**6)])),
    "decimal": lambda: Number(rng.choice(["0.5", "-0.0", "1e3", "1.50", "-2E-2", repr(rng.uniform(-1e6, 1e6)), "12345678901234567890"])),
    "text": lambda: rng.choice(texts),
    "boolean": lambda: rng.random() < 0.5,
    "date": lambda: f"{rng.randrange(1900, 2100)}-{rng.randrange(1, 13):02}-{rng.randrange(1, 29):02}",
    "time": lambda: f"{rng.randrange(1970, 2030)}-0{rng.randrange(1, 10)}-15{rng.choice('T ')}{rng.randrange(24):02}:30:59"
    + rng.choice(["", "Z", "+02:00", "-11:30", ".25Z", ".123456"]),
}


def column_maker():
    kinds = rng.choice([["integer"], ["integer"], ["decimal"], ["integer", "decimal"], ["text"], ["text"], ["boolean"], ["date"],
                        ["time"], ["date", "time"], ["text", "integer"], ["boolean", "decimal"], ["date", "text"], []])
    gaps = rng.choice([0, 0, 0.3])
    return lambda: None if not kinds or rng.random() < gaps else makers[rng.choice(kinds)]()


def dump(value):
    """JSON with random blanks, random escapes, and numbers as they are."""
    pad = lambda: rng.choice([""] * 12 + [" ", "\n", "\t "])
    if isinstance(value, Number):
        return str(value)
    if isinstance(value, dict):
        return "{" + ",".join(f"{pad()}{dump(k)}{pad()}:{pad()}{dump(v)}" for k, v in value.items()) + pad() + "}"
    if isinstance(value, list):
        return "[" + ",".join(pad() + dump(v) for v in value) + pad() + "]"
    return json.dumps(value, ensure_ascii=rng.random() < 0.3)


# MARK: GeoJSON

def position():
    return [Number(repr(round(rng.uniform(-180, 180), rng.randrange(0, 8)))), Number(rng.choice(["-7", "1e1", "0.1", repr(rng.uniform(-90, 90))]))]


def ring():
    x, y, size = rng.randrange(-100, 100), rng.randrange(-50, 50), rng.randrange(1, 20)
    places = [[x, y], [x + size, y], [x + size, y + size], [x, y + size], [x, y]]
    return [[Number(str(a)), Number(str(b))] for a, b in places]


shapes = {
    "Point": lambda: position(),
    "MultiPoint": lambda: [position() for _ in range(rng.randrange(0, 4))],
    "LineString": lambda: [position() for _ in range(rng.randrange(2, 5))],
    "MultiLineString": lambda: [[position() for _ in range(rng.randrange(2, 4))] for _ in range(rng.randrange(0, 3))],
    "Polygon": lambda: [ring() for _ in range(rng.randrange(1, 3))],
    "MultiPolygon": lambda: [[ring() for _ in range(rng.randrange(1, 3))] for _ in range(rng.randrange(0, 3))],
}
families = [["Point"], ["Point", "MultiPoint"], ["LineString", "MultiLineString"], ["Polygon", "MultiPolygon"]]


def parts(geometry):
    """Parts of vertices; None without any."""
    if geometry is None:
        return None
    nested, kind = geometry["coordinates"], geometry["type"]
    found = {"Point": lambda: [[nested]] if nested else [], "MultiPoint": lambda: [nested], "LineString": lambda: [nested],
             "MultiLineString": lambda: nested, "Polygon": lambda: nested,
             "MultiPolygon": lambda: [r for polygon in nested for r in polygon]}[kind]()
    found = [[[bits(float(x)), bits(float(y))] for x, y in part] for part in found if part]
    return found or None


def geojson():
    family = rng.choice(families)
    columns = {rng.choice(["a", "B", "größe", "x y", "n1", "n2", "d"]) + rng.choice(["", "_"]): column_maker() for _ in range(rng.randrange(0, 6))}
    features = []
    for _ in range(rng.randrange(1, 8)):
        kind = rng.choice(family)
        geometry = None if rng.random() < 0.1 else {"type": kind, "coordinates": shapes[kind]()}
        if geometry and rng.random() < 0.3:
            geometry = dict(reversed(geometry.items()))
        properties = {name: make() for name, make in columns.items() if rng.random() < 0.9}
        if rng.random() < 0.1:
            properties = dict(reversed(properties.items()))
        feature = {"type": "Feature", "properties": properties or None, "geometry": geometry}
        if rng.random() < 0.3:
            feature |= {"bbox": [Number("1")], "other": {"type": "x"}}
        items = list(feature.items())
        rng.shuffle(items)
        features.append(dict(items))
    if rng.random() < 0.3:
        text = rng.choice(["\n", "\n\x1e", "\r\n"]).join(dump(f).replace("\n", " ") for f in features)
    else:
        items = [("type", "FeatureCollection"), ("features", features), ("name", "x")]
        rng.shuffle(items)
        text = dump(dict(items))
    return text, table_of_geojson(features)


def table_of_geojson(features):
    names = []
    for feature in features:
        names += [n for n in feature["properties"] or {} if n not in names]
    columns = [json_column([(f["properties"] or {}).get(n) for f in features]) for n in names]
    return table(names, columns, len(features), [parts(f["geometry"]) for f in features])


def table(names, columns, count, places):
    return {"fields": [[n, kind] for n, (kind, _) in zip(names, columns)],
            "rows": [[values[row] for _, values in columns] for row in range(count)], "places": places}


# MARK: delimited text

def delimited():
    names = rng.sample(["a", "B", "größe", "x_y", "n1", "n2", 'q"q', "c,c"], rng.randrange(2, 6))
    makers_ = [column_maker() for _ in names]
    rows = [[make() for make in makers_] for _ in range(rng.randrange(0, 10))]
    delimiter = rng.choice(",;\t")
    end = rng.choice(["\n", "\r\n"])
    lines = [[name for name in names]]
    for row in rows:
        lines.append([None if v is None else str(v).lower() if isinstance(v, bool) else str(v) for v in row])
    out = io.StringIO()
    # Only text that was there is quoted, so that an empty field is null.
    for line in lines:
        cells = []
        for cell in line:
            cell_out = io.StringIO()
            quoting = csv.QUOTE_ALL if cell == "" or rng.random() < 0.2 else csv.QUOTE_MINIMAL
            csv.writer(cell_out, delimiter=delimiter, quoting=quoting, lineterminator="").writerow(["" if cell is None else cell, "x"])
            cells.append("" if cell is None else cell_out.getvalue()[:-2 if quoting == csv.QUOTE_MINIMAL else -4])
        out.write(delimiter.join(cells) + end)
    text = out.getvalue()
    header = next(io.StringIO(text, newline=""))
    if max(",;\t", key=header.count) != delimiter or sorted(header.count(d) for d in ",;\t")[-2] == header.count(delimiter):
        return delimited()
    back = list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter))
    if [[c or "" for c in line] for line in lines] != back or any(all(c is None for c in l) for l in lines):
        return delimited()
    columns = [csv_column([line[i] for line in lines[1:]]) for i in range(len(names))]
    return text, table(names, columns, len(rows), None)


with open(here / "tables.tsv", "w") as file:
    file.write("# made by make_cases.py: format, file, table\n")
    for format, make, number in (("geojson", geojson, 150), ("csv", delimited, 150)):
        for _ in range(number):
            text, expected = make()
            file.write(f"{format}\t{text.encode().hex()}\t{json.dumps(expected, separators=(',', ':')).encode().hex()}\n")

"""Writes expected.json of a folder of vector tiles: their layers as GDAL's driver MVT reads them.

    python make_tile_cases.py [FOLDER]

The tiles are named ZOOM-COLUMN-ROW.mvt; FOLDER defaults to the folder real. Needs ogr2ogr of GDAL. Of each layer it
writes the number of features of each kind, of parts and of vertices, the number of values of each field, and the
SHA-256 of all features as text (see `line`).
"""
import glob
import hashlib
import json
import os
import re
import struct
import subprocess
import sys

HALF = 20037508.342789244
KINDS = {"Point": "point", "MultiPoint": "multipoint", "LineString": "polyline", "MultiLineString": "polyline",
         "Polygon": "polygon", "MultiPolygon": "polygon"}


def parts(geometry):
    """The parts of a geometry: lists of positions."""
    coordinates = geometry["coordinates"]
    return {"Point": lambda: [[coordinates]], "MultiPoint": lambda: [coordinates],
            "LineString": lambda: [coordinates], "MultiLineString": lambda: coordinates,
            "Polygon": lambda: coordinates,
            "MultiPolygon": lambda: [ring for polygon in coordinates for ring in polygon]}[geometry["type"]]()


def value(value):
    """A value as text that keeps its type."""
    if isinstance(value, bool):
        return "b:" + str(value).lower()
    if isinstance(value, int):
        return f"i:{value}"
    return f"r:{value.hex()}" if isinstance(value, float) else f"t:{value}"


def line(feature, tile):
    """A feature as a line of text: id, kind, parts in units of the tile, and values in the order of their names."""
    zoom, column, row = tile
    side = 2 * HALF / 2 ** zoom

    def position(x, y):
        place = ((x + HALF) / side - column) * 4096, ((HALF - y) / side - row) * 4096
        whole = [round(number) for number in place]
        assert max(abs(a - b) for a, b in zip(place, whole)) < 1e-3, place
        return "%d %d" % tuple(whole)

    properties = dict(feature["properties"])
    number = properties.pop("mvt_id", None)
    shape = ";".join(",".join(position(*vertex) for vertex in part) for part in parts(feature["geometry"]))
    values = "|".join(f"{key}={value(properties[key])}" for key in sorted(properties, key=lambda key: key.encode())
                      if properties[key] is not None)
    return f"{'' if number is None else number}|{KINDS[feature['geometry']['type']]}|{shape}|{values}"


def layers(path):
    tile = [int(number) for number in os.path.basename(path).split(".")[0].split("-")]
    names = subprocess.run(["ogrinfo", "-ro", "-q", path], capture_output=True, text=True, check=True).stdout
    for name in [line.split(": ", 1)[1].rsplit(" (", 1)[0] for line in names.splitlines()]:
        text = subprocess.run(
            ["ogr2ogr", "-f", "GeoJSON", "/vsistdout/", path, name, "-oo", "CLIP=NO", "-lco", "RFC7946=NO",
             "-lco", "COORDINATE_PRECISION=15"], capture_output=True, text=True, check=True).stdout
        features = json.loads(text)["features"]
        # GDAL writes single-precision numbers with fewer digits; the tile has the nearest number of that precision.
        summary = subprocess.run(["ogrinfo", "-ro", "-so", path, name], capture_output=True, text=True, check=True).stdout
        for key in re.findall(r"^(.*): Real\(Float32\)", summary, re.MULTILINE):
            for feature in features:
                number = feature["properties"].get(key)
                if number is not None:
                    feature["properties"][key] = struct.unpack("f", struct.pack("f", number))[0]
        kinds, fields = {}, {}
        for feature in features:
            kind = KINDS[feature["geometry"]["type"]]
            kinds[kind] = kinds.get(kind, 0) + 1
            for key, item in feature["properties"].items():
                if item is not None and key != "mvt_id":
                    fields[key] = fields.get(key, 0) + 1
        shapes = [parts(feature["geometry"]) for feature in features]
        lines = "".join(line(feature, tile) + "\n" for feature in features)
        yield name, {"features": len(features), "kinds": kinds, "parts": sum(map(len, shapes)),
                     "vertices": sum(len(part) for shape in shapes for part in shape), "values": fields,
                     "digest": hashlib.sha256(lines.encode()).hexdigest()}


folder = sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(os.path.abspath(__file__)), "real")
tiles = {os.path.basename(path): dict(layers(path)) for path in sorted(glob.glob(os.path.join(folder, "*.mvt")))}
with open(os.path.join(folder, "expected.json"), "w") as file:
    rows = []
    for name, content in tiles.items():
        inner = ",\n".join(f"  {json.dumps(layer)}: {json.dumps(item, sort_keys=True)}" for layer, item in content.items())
        rows.append(f" {json.dumps(name)}: {{\n{inner}}}")
    file.write("{\n" + ",\n".join(rows) + "}\n")

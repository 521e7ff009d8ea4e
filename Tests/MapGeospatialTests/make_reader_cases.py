"""Makes Cases/FlatGeobuf with GDAL's own writer: every type of geometry and of field, with and without index; and
Cases/stored.gpkg, tables whose values are stored as their fields declare and as they do not.

  cd Tests/MapGeospatialTests/Cases/FlatGeobuf && python3 ../../make_reader_cases.py

Needs GDAL's Python binding (Debian's python3-gdal); the data is random with a seed.
"""
import os
import random
import sqlite3

from osgeo import ogr, osr

ogr.UseExceptions()
rng = random.Random(11)
FIELDS = [
    ("bool", ogr.OFTInteger, ogr.OFSTBoolean), ("short", ogr.OFTInteger, ogr.OFSTInt16), ("int", ogr.OFTInteger, None),
    ("long", ogr.OFTInteger64, None), ("float", ogr.OFTReal, ogr.OFSTFloat32), ("double", ogr.OFTReal, None),
    ("text", ogr.OFTString, None), ("moment", ogr.OFTDateTime, None), ("day", ogr.OFTDate, None),
    ("time", ogr.OFTTime, None), ("bytes", ogr.OFTBinary, None),
]
ZONES = ["", "+00", "+02", "-05:30", "+12:45", "-11"]


def place(extra):
    return " ".join(str(round(rng.uniform(-80, 80), rng.choice([0, 3, 15]))) for _ in range(2 + extra))


def line(extra, count=None):
    return "(" + ", ".join(place(extra) for _ in range(count or rng.randint(2, 7))) + ")"


def ring(extra):
    first = place(extra)
    return "(" + ", ".join([first] + [place(extra) for _ in range(rng.randint(2, 6))] + [first]) + ")"


def several(make, extra):
    return "(" + ", ".join(make(extra) for _ in range(rng.randint(1, 4))) + ")"


def polygon(extra):
    return several(ring, extra)


SHAPES = {
    "POINT": lambda extra: f"({place(extra)})", "LINESTRING": line, "POLYGON": polygon,
    "MULTIPOINT": lambda extra: line(extra, rng.randint(1, 5)),
    "MULTILINESTRING": lambda extra: several(line, extra), "MULTIPOLYGON": lambda extra: several(polygon, extra),
}


def shape(name, dimensions):
    return f"{name} {dimensions} " + SHAPES[name](len(dimensions.strip()))


def set_value(feature, name):
    if name == "bool":
        feature.SetField(name, rng.randint(0, 1))
    elif name in ("short", "int", "long"):
        bits = {"short": 15, "int": 31, "long": 62}[name]
        feature.SetField(name, rng.choice([0, -1, 2 ** bits - 1, -2 ** bits, rng.randint(-1000, 1000)]))
    elif name in ("float", "double"):
        feature.SetField(name, rng.choice([0.5, -1.25, 1e300 if name == "double" else 1e30, float("inf"), rng.random()]))
    elif name == "text":
        feature.SetField(name, rng.choice(["", "plain", "Zürich", "東京", "a\"b", "plain", "x" * 300]))
    elif name == "bytes":
        feature.SetFieldBinaryFromHexString(name, "00FF")
    else:
        second = rng.choice(["00", "59", "07.5", "59.999", "12.345", "01.001"])
        day = f"{rng.randint(1, 9999):04}/{rng.randint(1, 12):02}/{rng.randint(1, 28):02}"
        clock = f"{rng.randint(0, 23):02}:{rng.randint(0, 59):02}:{second}"
        if name == "moment":
            feature.SetField(name, f"{day} {clock}{rng.choice(ZONES)}")
        else:
            feature.SetField(name, day if name == "day" else clock)


def write(path, kind, shapes, code=4326, index=False, fields=FIELDS, name=None):
    source = ogr.GetDriverByName("FlatGeobuf").CreateDataSource(path)
    reference = None
    if code:
        reference = osr.SpatialReference()
        reference.ImportFromEPSG(code)
        reference.SetAxisMappingStrategy(osr.OAMS_TRADITIONAL_GIS_ORDER)
    layer = source.CreateLayer(
        name or path[:-4], reference, kind, options=["SPATIAL_INDEX=" + ("YES" if index else "NO")])
    for field, type_, subtype in fields:
        definition = ogr.FieldDefn(field, type_)
        if subtype is not None:
            definition.SetSubType(subtype)
        if field == "text":
            definition.SetAlternativeName("a text")
        layer.CreateField(definition)
    for wkt in shapes:
        feature = ogr.Feature(layer.GetLayerDefn())
        if wkt:
            feature.SetGeometryDirectly(ogr.CreateGeometryFromWkt(wkt))
        for field, *_ in fields:
            if rng.random() < .8:
                set_value(feature, field)
            else:
                feature.SetFieldNull(field)
        layer.CreateFeature(feature)


types = {name: getattr(ogr, "wkb" + word) for name, word in [
    ("POINT", "Point"), ("LINESTRING", "LineString"), ("POLYGON", "Polygon"), ("MULTIPOINT", "MultiPoint"),
    ("MULTILINESTRING", "MultiLineString"), ("MULTIPOLYGON", "MultiPolygon")]}
for name, kind in types.items():
    short = name.lower()
    write(f"{short}.fgb", kind, [shape(name, "") if i % 5 else None for i in range(20)])
    write(f"{short}-indexed.fgb", kind, [shape(name, "") for _ in range(40)], index=True)
    write(f"{short}-z.fgb", ogr.GT_SetZ(kind), [shape(name, "Z") for _ in range(8)], code=3857)
    write(f"{short}-m.fgb", ogr.GT_SetM(kind), [shape(name, "M") for _ in range(8)], code=25832)
    write(f"{short}-zm.fgb", ogr.GT_SetZ(ogr.GT_SetM(kind)), [shape(name, "ZM") for _ in range(8)])
    write(f"{short}-unknown.fgb", ogr.wkbUnknown, [shape(name, "") for _ in range(8)])
    # Without an index GDAL writes no file for no features.
    write(f"{short}-none.fgb", kind, [], index=True)
write("one.fgb", ogr.wkbPoint, ["POINT (8 50)"], index=True)
write("fieldless.fgb", ogr.wkbPoint, ["POINT (8 50)", None], fields=[])
write("named.fgb", ogr.wkbPoint, ["POINT (8 50)"], name="Another name")
write("nowhere-degrees.fgb", ogr.wkbPoint, ["POINT (8 50)"], code=None)
write("nowhere-metres.fgb", ogr.wkbPoint, ["POINT (8000 50)"], code=None)
write("points-multipoints.fgb", ogr.wkbUnknown, ["POINT (8 50)", "MULTIPOINT (1 2, 3 4)", "POINT (1 1)"])
write("mixed.fgb", ogr.wkbUnknown, ["POINT (8 50)", "LINESTRING (1 2, 3 4)"])
write("collections.fgb", ogr.wkbGeometryCollection, ["GEOMETRYCOLLECTION (POINT (8 50))"])
write("curves.fgb", ogr.wkbCurvePolygon, ["CURVEPOLYGON (CIRCULARSTRING (8 50, 9 51, 8 52, 7 51, 8 50))"])
write("degenerate.fgb", ogr.wkbPolygon, [
    "POLYGON ((8 50, 9 50, 9 51, 8 50), (8.5 50.1, 8.5 50.1, 8.5 50.1, 8.5 50.1))", "POLYGON ((1 1, 1 1, 1 1))"])
write("open-rings.fgb", ogr.wkbPolygon, ["POLYGON ((8 50, 9 50, 9 51))"])

# Tables as GDAL makes them, then values as other programs may store them.
PATH = "../stored.gpkg"
if os.path.exists(PATH):
    os.remove(PATH)
source = ogr.GetDriverByName("GPKG").CreateDataSource(PATH)
wgs84 = osr.SpatialReference()
wgs84.ImportFromEPSG(4326)
names = ["moments", "zoneless", "odd_moment", "words", "wide", "fractions", "flags", "sparse", "days", "nul"]
for name in names:
    layer = source.CreateLayer(name, wgs84, ogr.wkbPoint, options=["SPATIAL_INDEX=NO"])
    for field, type_, subtype in FIELDS:
        if field == "time":
            continue
        definition = ogr.FieldDefn(field, type_)
        if subtype is not None:
            definition.SetSubType(subtype)
        layer.CreateField(definition)
    layer.StartTransaction()
    for index in range(60):
        feature = ogr.Feature(layer.GetLayerDefn())
        if index % 9:
            feature.SetGeometryDirectly(ogr.CreateGeometryFromWkt(f"POINT ({index} {index / 7})"))
        for field, *_ in FIELDS:
            if field in ("float", "double"):
                feature.SetField(field, rng.choice([0.1, 1.5, -2e10]))
            elif field not in ("time", "moment", "day") and rng.random() < .8:
                set_value(feature, field)
        feature.SetField("day", f"{rng.randint(1900, 2100)}/02/{rng.randint(1, 28):02}")
        feature.SetField("moment", f"2024/06/{rng.randint(1, 30):02} 10:20:{rng.choice(['30', '30.125'])}+00")
        layer.CreateFeature(feature)
    layer.CommitTransaction()
layer = source = None
base = sqlite3.connect(PATH)
for statement in [
    "UPDATE zoneless SET moment = '2024-06-01T10:20:30'", "UPDATE odd_moment SET moment = '2024-06-01 10:20' WHERE fid = 7",
    "UPDATE words SET int = 'many' WHERE fid = 50", "UPDATE wide SET int = 5000000000 WHERE fid = 3",
    "UPDATE fractions SET long = 1.5 WHERE fid = 3", "UPDATE flags SET bool = 2 WHERE fid = 3",
    "UPDATE sparse SET fid = fid * 1000000007 WHERE fid > 20", "UPDATE sparse SET fid = -fid WHERE fid < 5",
    "UPDATE days SET day = '2024-02-30' WHERE fid = 3", "UPDATE nul SET text = 'a' || char(0) || 'b' WHERE fid = 3",
]:
    base.execute(statement)
base.commit()
base.close()

#!/usr/bin/env python3
"""Makes Cases/: one data set in every format, and files that are odd or broken.

Needs Debian's python3-gdal and proj-bin (GDAL 3.6.2, PROJ 9.1.1). Run from anywhere: /usr/bin/python3 make_cases.py
The files are kept, so that tests need neither; some formats hold the time of writing, so a new run changes bytes.
"""
import csv, json, os, random, shutil, subprocess
from osgeo import gdal, ogr, osr

gdal.UseExceptions()
here = os.path.dirname(os.path.abspath(__file__))
out = os.path.join(here, "Cases")
shutil.rmtree(out, ignore_errors=True)
os.makedirs(out)
os.chdir(out)
rng = random.Random(7)
names = ["Zürich", "Łódź", "東京", "São Paulo", "O'Brien", "", "Reykjavík", "Ŝanĝo", "plain", "emoji 🗺"]


def reference(code):
    srs = osr.SpatialReference()
    srs.ImportFromEPSG(code)
    srs.SetAxisMappingStrategy(osr.OAMS_TRADITIONAL_GIS_ORDER)
    return srs


def polygon(x, y, r, hole):
    import math
    n = rng.randint(4, 9)
    ring = [(x + r * math.cos(2 * math.pi * i / n), y + r * math.sin(2 * math.pi * i / n)) for i in range(n)]
    ring.append(ring[0])
    rings = [ring]
    if hole:
        rings.append([(x + (a - x) * 0.4, y + (b - y) * 0.4) for a, b in reversed(ring)])
    return "POLYGON (" + ", ".join("(" + ", ".join(f"{a:.6f} {b:.6f}" for a, b in p) + ")" for p in rings) + ")"


def row(kind, i):
    # Around Germany, so that EPSG:25832 holds it too; every 17th has no geometry.
    x, y = rng.uniform(6, 12), rng.uniform(48, 54)
    if i % 17 == 5:
        wkt = None
    elif kind == "points":
        wkt = f"POINT ({x:.6f} {y:.6f})"
    elif kind == "lines":
        chain = [(x, y)]
        for _ in range(rng.randint(1, 8)):
            chain.append((chain[-1][0] + rng.uniform(-.2, .2), chain[-1][1] + rng.uniform(-.2, .2)))
        wkt = "LINESTRING (" + ", ".join(f"{a:.6f} {b:.6f}" for a, b in chain) + ")"
    else:
        wkt = polygon(x, y, rng.uniform(.02, .4), i % 5 == 0)
    def maybe(value):
        return None if rng.random() < .15 else value
    return {
        "wkt": wkt,
        "number": i,
        "name": maybe(names[rng.randrange(len(names))]),
        "short": maybe(rng.randint(-32768, 32767)),
        "whole": maybe(rng.randint(-2**31, 2**31 - 1)),
        "long": maybe(rng.choice([2**53 + 1, -2**53 - 1, 2**62, 0, 12345678901])),
        "single": maybe(rng.choice([0.5, -1.25, 3.0, 1024.125])),
        "real": maybe(round(rng.uniform(-1000, 1000), 4)),
        "flag": maybe(rng.random() < .5),
        "day": maybe(f"{rng.randint(1900, 2100)}-{rng.randint(1, 12):02}-{rng.randint(1, 28):02}"),
        "moment": maybe((f"{rng.randint(1950, 2050)}-{rng.randint(1, 12):02}-{rng.randint(1, 28):02}",
                         f"{rng.randint(0, 23):02}:{rng.randint(0, 59):02}:{rng.randint(0, 59):02}",
                         rng.choice(["Z", "Z", "Z", "+02:00", "-05:30"]))),
        "photo": maybe(bytes([i % 256, 255])),
    }


fields = [
    ("number", ogr.OFTInteger, None), ("name", ogr.OFTString, None), ("short", ogr.OFTInteger, ogr.OFSTInt16),
    ("whole", ogr.OFTInteger, None), ("long", ogr.OFTInteger64, None), ("single", ogr.OFTReal, ogr.OFSTFloat32),
    ("real", ogr.OFTReal, None), ("flag", ogr.OFTInteger, ogr.OFSTBoolean), ("day", ogr.OFTDate, None),
    ("moment", ogr.OFTDateTime, None), ("photo", ogr.OFTBinary, None),
]
geometry_types = {"points": ogr.wkbPoint, "lines": ogr.wkbLineString, "polygons": ogr.wkbPolygon}


def utc(moment):
    from datetime import datetime, timezone
    day, time, zone = moment
    return datetime.fromisoformat(f"{day}T{time}{'+00:00' if zone == 'Z' else zone}").astimezone(timezone.utc)


def write(driver, path, layer_name, kind, rows, code=4326, skip=(), zones=True, options=(), update=False):
    drv = ogr.GetDriverByName(driver)
    source = drv.Open(path, 1) if update else drv.CreateDataSource(path)
    layer = source.CreateLayer(layer_name, reference(code) if code else None, geometry_types[kind], options=list(options))
    used = [f for f in fields if f[0] not in skip]
    for name, kind_, subtype in used:
        definition = ogr.FieldDefn(name, kind_)
        if subtype is not None:
            definition.SetSubType(subtype)
        if kind_ == ogr.OFTReal and driver == "ESRI Shapefile":
            definition.SetWidth(24); definition.SetPrecision(15)
        layer.CreateField(definition)
    transform = None
    if code and code != 4326:
        transform = osr.CoordinateTransformation(reference(4326), reference(code))
    layer.StartTransaction() if driver == "GPKG" else None
    for r in rows:
        f = ogr.Feature(layer.GetLayerDefn())
        if r["wkt"]:
            g = ogr.CreateGeometryFromWkt(r["wkt"])
            if transform:
                g.Transform(transform)
            f.SetGeometryDirectly(g)
        for name, kind_, _ in used:
            v = r[name]
            if v is None:
                f.SetFieldNull(name)
            elif name == "moment":
                if zones:
                    day, time, zone = v
                    f.SetField(name, f"{day.replace('-', '/')} {time}{'+00' if zone == 'Z' else zone}")
                else:
                    f.SetField(name, utc(v).strftime("%Y/%m/%d %H:%M:%S+00"))
            elif name == "day":
                f.SetField(name, v.replace("-", "/"))
            elif name == "photo":
                f.SetFieldBinaryFromHexString(name, v.hex())
            else:
                f.SetField(name, v)
        layer.CreateFeature(f)
    layer.CommitTransaction() if driver == "GPKG" else None
    layer = source = None


def geojson(path, rows):
    features = []
    for r in rows:
        geometry = json.loads(ogr.CreateGeometryFromWkt(r["wkt"]).ExportToJson()) if r["wkt"] else None
        if geometry:
            # As typed: GDAL writes 15 digits, which our decimals of six have.
            pass
        p = {k: r[k] for k in ("number", "name", "short", "whole", "long", "single", "real", "flag", "day")}
        p["moment"] = "{}T{}{}".format(*r["moment"]) if r["moment"] else None
        features.append({"type": "Feature", "properties": p, "geometry": geometry})
    with open(path, "w") as f:
        json.dump({"type": "FeatureCollection", "features": features}, f, ensure_ascii=False)


def delimited(path, rows):
    keys = ["number", "name", "short", "whole", "long", "single", "real", "flag", "day", "moment"]
    with open(path, "w", newline="") as f:
        f.write(",".join(["wkt"] + keys) + "\n")
        for r in rows:
            cells = [r["wkt"]] + ["{}T{}{}".format(*r["moment"]) if k == "moment" and r[k] else r[k] for k in keys]
            def cell(c):
                if c is None: return ""
                if isinstance(c, bool): return "true" if c else "false"
                if isinstance(c, str): return '"' + c.replace('"', '""') + '"'
                return repr(c)
            f.write(",".join(cell(c) for c in cells) + "\n")


for kind in ("points", "lines", "polygons"):
    rows = [row(kind, i) for i in range(300)]
    geojson(f"{kind}.geojson", rows)
    delimited(f"{kind}.csv", rows)
    write("GPKG", "places.gpkg", kind, kind, rows, update=os.path.exists("places.gpkg"), zones=False)
    write("FlatGeobuf", f"{kind}.fgb", kind, kind, rows, options=["SPATIAL_INDEX=NO"])
    # Shapefiles know neither moments, booleans, 64-bit numbers without loss nor binary; day stays a date.
    write("ESRI Shapefile", f"{kind}.shp", kind, kind, rows, skip=("moment", "photo", "flag"), options=["ENCODING=UTF-8"])
    if kind != "lines":
        for code in (25832, 27700):
            write("GPKG", f"{kind}-{code}.gpkg", kind, kind, rows, code=code, zones=False)
    # Two tables of a File Geodatabase, with one field so that its folder stays small.
    if kind != "polygons":
        write("OpenFileGDB", "tables.gdb", f"my_{kind}", kind, rows, update=os.path.exists("tables.gdb"),
              skip=[name for name, _, _ in fields if name != "number"])

# A shapefile in another encoding, told by its .cpg.
write("ESRI Shapefile", "latin.shp", "latin", "points",
      [{**row("points", 0), "wkt": "POINT (8.5 47.4)", "name": "Zürich"}], skip=("moment", "photo", "flag"),
      options=["ENCODING=ISO-8859-1"])

# Z, M, curves, a geometry collection, a table without fields, one without geometry, no reference.
gpkg = ogr.GetDriverByName("GPKG").CreateDataSource("odd.gpkg")
def layer(name, kind, wkts, srs=4326, fields_=True):
    made = gpkg.CreateLayer(name, reference(srs) if srs else None, kind)
    if fields_:
        made.CreateField(ogr.FieldDefn("n", ogr.OFTInteger))
    for i, w in enumerate(wkts):
        f = ogr.Feature(made.GetLayerDefn())
        if fields_:
            f.SetField("n", i)
        if w:
            f.SetGeometryDirectly(ogr.CreateGeometryFromWkt(w))
        made.CreateFeature(f)
layer("zm", ogr.wkbPointZM, ["POINT ZM (8 50 100 1)", "POINT ZM (9 51 200 2)", None])
layer("curves", ogr.wkbCurvePolygon, ["CURVEPOLYGON (CIRCULARSTRING (8 50, 9 51, 8 52, 7 51, 8 50))"])
layer("collection", ogr.wkbUnknown, ["GEOMETRYCOLLECTION (POINT (8 50), LINESTRING (8 50, 9 51))"])
layer("mixed", ogr.wkbUnknown, ["POINT (8 50)", "LINESTRING (8 50, 9 51)"])
layer("bare", ogr.wkbPoint, ["POINT (8 50)", "POINT (9 51)", None], fields_=False)
layer("plain", ogr.wkbNone, [None, None])
layer("empty", ogr.wkbPolygon, ["POLYGON EMPTY", None])
layer("none", ogr.wkbLineString, [])
layer("degenerate", ogr.wkbPolygon, ["POLYGON ((8 50, 9 50, 9 51, 8 50), (8.5 50.1, 8.5 50.1, 8.5 50.1, 8.5 50.1))"])
custom = osr.SpatialReference()
custom.ImportFromProj4("+proj=laea +lat_0=50 +lon_0=9 +x_0=1000 +y_0=2000 +ellps=GRS80 +units=m")
made = gpkg.CreateLayer("custom", custom, ogr.wkbPoint)
f = ogr.Feature(made.GetLayerDefn()); f.SetGeometryDirectly(ogr.CreateGeometryFromWkt("POINT (1000 2000)")); made.CreateFeature(f)
made = f = gpkg = None

# No .prj: nothing says the reference.
for name, x, y in (("nowhere-degrees", 8.5, 47.4), ("nowhere-metres", 945000, 6000000)):
    shp = ogr.GetDriverByName("ESRI Shapefile").CreateDataSource(name + ".shp")
    made = shp.CreateLayer(name, None, ogr.wkbPoint)
    made.CreateField(ogr.FieldDefn("n", ogr.OFTInteger))
    f = ogr.Feature(made.GetLayerDefn()); f.SetField("n", 1)
    f.SetGeometryDirectly(ogr.CreateGeometryFromWkt(f"POINT ({x} {y})")); made.CreateFeature(f)
    made = f = shp = None

# What GDAL says of each layer, feature by feature, without our reader: the cells that must come out.
expected = {}
for path, layers in (("places.gpkg", ["points", "lines", "polygons"]), ("points.fgb", None), ("lines.fgb", None),
                     ("polygons.fgb", None), ("points.shp", None), ("lines.shp", None), ("polygons.shp", None),
                     ("latin.shp", None), ("odd.gpkg", ["zm", "bare", "plain", "empty"])):
    source = ogr.Open(path)
    for l in ([source.GetLayerByName(n) for n in layers] if layers else [source.GetLayer(0)]):
        table = []
        for f in l:
            cells = {}
            for i in range(f.GetFieldCount()):
                d = f.GetFieldDefnRef(i)
                if d.GetType() == ogr.OFTBinary:
                    continue
                if not f.IsFieldSetAndNotNull(i):
                    cells[d.GetName()] = None
                elif d.GetType() == ogr.OFTDateTime:
                    y, mo, da, h, mi, s, tz = f.GetFieldAsDateTime(i)
                    from datetime import datetime, timedelta, timezone
                    t = datetime(y, mo, da, h, mi, int(s), tzinfo=timezone.utc)
                    if tz > 1:
                        t -= timedelta(minutes=15 * (tz - 100))
                    cells[d.GetName()] = t.strftime("%Y-%m-%dT%H:%M:%SZ")
                elif d.GetType() == ogr.OFTDate:
                    y, mo, da, *_ = f.GetFieldAsDateTime(i)
                    cells[d.GetName()] = f"{y:04}-{mo:02}-{da:02}"
                else:
                    v = f.GetField(i)
                    cells[d.GetName()] = bool(v) if d.GetSubType() == ogr.OFSTBoolean else v
            g = f.GetGeometryRef()
            if g is not None:
                g.FlattenTo2D()
            table.append({"cells": cells, "wkt": None if g is None or g.IsEmpty() else g.ExportToWkt()})
        expected[f"{path}#{l.GetName()}"] = table
with open("expected.json", "w") as f:
    json.dump(expected, f, ensure_ascii=False)

# Broken files.
data = open("places.gpkg", "rb").read()
open("truncated.gpkg", "wb").write(data[:20000])
open("truncated.fgb", "wb").write(open("polygons.fgb", "rb").read()[:5000])
open("garbage.gpkg", "wb").write(bytes(rng.randrange(256) for _ in range(2000)))
open("garbage.shp", "wb").write(bytes(rng.randrange(256) for _ in range(2000)))
shutil.copy("points.fgb", "points-fgb.data")
for leftover in os.listdir("."):
    if leftover.endswith(("-wal", "-shm", "-journal")):
        os.remove(leftover)

# PROJ's own program: 200 places in five systems. `cs2cs` takes and gives what the authority's axes say, so both ends
# are written as longitude/easting first by `-f` and a swap below.
def swapped(code):
    srs = osr.SpatialReference(); srs.ImportFromEPSG(code)
    return srs.EPSGTreatsAsLatLong() or srs.EPSGTreatsAsNorthingEasting()
places = {3857: (-179, -85, 179, 85), 25832: (6, 47, 12, 55), 27700: (-7, 50, 1.5, 59), 2056: (6, 46, 10.5, 47.8),
          32633: (12, 0, 18, 80)}
with open("cs2cs.tsv", "w") as f:
    version = subprocess.run(["cs2cs"], capture_output=True, text=True).stderr.split("\n")[0]
    f.write(f"# {version}\n# cs2cs -f %.10f EPSG:4326 EPSG:code, latitude first in; easting, northing out\n")
    f.write("code\tlongitude\tlatitude\teasting\tnorthing\n")
    for code, (x0, y0, x1, y1) in places.items():
        pts = [(round(rng.uniform(x0, x1), 8), round(rng.uniform(y0, y1), 8)) for _ in range(200)]
        text = "".join(f"{y} {x}\n" for x, y in pts)
        answer = subprocess.run(["cs2cs", "-f", "%.10f", "EPSG:4326", f"EPSG:{code}"], input=text, capture_output=True,
                                text=True, check=True).stdout.split("\n")
        for (x, y), line in zip(pts, answer):
            a, b = line.split()[:2]
            if swapped(code): a, b = b, a
            f.write(f"{code}\t{x!r}\t{y!r}\t{a}\t{b}\n")

# Types that GDAL's columns in bulk hold well, and nothing else: read both ways.
def bulk(driver, path, kind, geometry, wkts, srs=4326):
    source = ogr.GetDriverByName(driver).CreateDataSource(path)
    made = source.CreateLayer(kind, reference(srs), geometry, options=["SPATIAL_INDEX=NO"])
    types = [("number", ogr.OFTInteger, None), ("name", ogr.OFTString, None), ("short", ogr.OFTInteger, ogr.OFSTInt16),
             ("long", ogr.OFTInteger64, None), ("single", ogr.OFTReal, ogr.OFSTFloat32), ("real", ogr.OFTReal, None)]
    for name, kind_, subtype in types:
        d = ogr.FieldDefn(name, kind_)
        if subtype is not None:
            d.SetSubType(subtype)
        made.CreateField(d)
    made.StartTransaction() if driver == "GPKG" else None
    for i, w in enumerate(wkts):
        f = ogr.Feature(made.GetLayerDefn())
        values = row("points", i)
        for name, *_ in types:
            if values[name] is None:
                f.SetFieldNull(name)
            else:
                f.SetField(name, values[name])
        if w:
            f.SetGeometryDirectly(ogr.CreateGeometryFromWkt(w))
        made.CreateFeature(f)
    made.CommitTransaction() if driver == "GPKG" else None
    made = source = None

shapes = {
    "points": (ogr.wkbPoint, lambda i: f"POINT ({i} {i / 7})"),
    "lines": (ogr.wkbLineString25D, lambda i: f"LINESTRING Z ({i} 0 5, {i + 1} {i / 3} 6)"),
    "polygons": (ogr.wkbMultiPolygon, lambda i: f"MULTIPOLYGON ((({i} 0, {i + 1} 0, {i + 1} 1, {i} 0)),(({i} 5, {i + 1} 5, {i + 1} 6, {i} 5)))"),
}
for kind, (geometry, wkt) in shapes.items():
    for driver, ending in (("GPKG", "gpkg"), ("FlatGeobuf", "fgb")):
        bulk(driver, f"bulk-{kind}.{ending}", kind, geometry,
             [None if i % 11 == 3 and ending == "gpkg" else wkt(i % 80) for i in range(150)])
data = open("bulk-points.fgb", "rb").read()
open("truncated-bulk.fgb", "wb").write(data[:len(data) * 2 // 3])

"""Compares the tool's reading of Parquet files with expected.json, and other programs' reading of files that it writes.

    parquet.py FOLDER SCRATCH

FOLDER has the files of Tests/MapFeaturesTests/Cases/make_parquet.py. MAPSTATE is the tool.
"""
import datetime as dt
import json
import os
import shutil
import subprocess
import sys

import duckdb
import geopandas as gpd
import pyarrow as pa
import pyarrow.parquet as pq
import shapely

FOLDER, SCRATCH = sys.argv[1:3]
TOOL = os.environ["MAPSTATE"]
TOP = os.path.dirname(os.path.abspath(__file__)) + "/../../.."
EPOCH = dt.datetime(1970, 1, 1)
faults = []


def run(*words):
    return subprocess.run([TOOL, *words], capture_output=True, text=True, check=True).stdout


# Files of other programs

def value(found):
    """A value of GeoJSON; timestamps as in expected.json."""
    if isinstance(found, str) and len(found) >= 20 and found[-1] == "Z" and found[10] == "T":
        date, _, fraction = found[:-1].partition(".")
        moment = dt.datetime.fromisoformat(date)
        return {"us": (moment - EPOCH) // dt.timedelta(microseconds=1) + int(fraction.ljust(6, "0") or 0)}
    return found


def parts(geometry):
    """The positions of each part; the tool may turn rings around."""
    if geometry is None:
        return None
    kind, places = geometry["type"], geometry["coordinates"]
    lists = {"Point": lambda: [[places]], "MultiPoint": lambda: [places], "LineString": lambda: [places],
             "MultiLineString": lambda: places, "Polygon": lambda: places, "MultiPolygon": lambda: [r for p in places for r in p]}
    return [sorted(part) for part in lists[kind]()]


def same(found, expected):
    if isinstance(found, bool) or isinstance(expected, bool):
        return found == expected
    return found == expected and (found is None) == (expected is None)


with open(os.path.join(FOLDER, "expected.json")) as file:
    cases = json.load(file)["cases"]
values = shapes = 0
for name, case in cases.items():
    lines = [json.loads(line) for line in run("query", os.path.join(FOLDER, name), "--format", "ndjson").splitlines()]
    if len(lines) != case["rows"]:
        faults.append(f"{name}: {len(lines)} rows, not {case['rows']}")
        continue
    for field, column in zip(case["fields"], case["columns"]):
        for row, expected in enumerate(column):
            found = value(lines[row]["properties"].get(field, "no such field"))
            values += 1
            if not same(found, expected):
                faults.append(f"{name}: {field}, row {row + 1}: {found!r}, not {expected!r}")
                break
    for row, expected in enumerate(case.get("shapes", [])):
        found = parts(lines[row]["geometry"])
        shapes += 1
        # GeoJSON is in degrees.
        if (found is None) != (expected is None) or case["wkid"] == 4326 and found is not None and \
                found != [sorted(part) for part in expected]:
            faults.append(f"{name}: geometry of row {row + 1}: {found}, not {expected}")
            break
print(f"{len(cases)} files of other programs: {values} values and {shapes} geometries compared")
if len(cases) != 300:
    faults.append(f"{len(cases)} files, not 300")


# Files that the tool writes

written = 0
points = os.path.join(SCRATCH, "points.csv")
with open(points, "w") as file:
    file.write("lon,lat,n,name\n")
    for i in range(150_000):
        file.write(f"{i * 7919 % 35999 / 100 - 179.99:.2f},{i * 104_729 % 15999 / 100 - 79.99:.2f},{i},{'' if i % 9 else f'name {i}'}\n")
for source, kind in ((points, "Point"), (f"{TOP}/Styles/data/world-cities.csv", "Point")):
    path = os.path.join(SCRATCH, f"written-{written}.parquet")
    run("query", source, "-o", path)
    rows = int(run("count", source))
    meta = pq.read_metadata(path)
    geo = json.loads(meta.metadata[b"geo"])
    column = geo["columns"][geo["primary_column"]]
    box = column["covering"]["bbox"]
    checks = {
        "version": geo["version"] == "1.1.0", "encoding": column["encoding"] == "WKB", "rows": meta.num_rows == rows,
        "row groups": all(meta.row_group(i).num_rows <= 65_536 for i in range(meta.num_row_groups)),
        "number of row groups": meta.num_row_groups == -(-rows // 65_536),
        "compression": {meta.row_group(0).column(i).compression for i in range(meta.num_columns)} == {"ZSTD"},
        "boxes": all(box[side] == [box["xmin"][0], side] for side in ("xmin", "ymin", "xmax", "ymax")),
    }
    frame = gpd.read_parquet(path)
    checks["geopandas"] = len(frame) == rows and set(frame.geom_type.dropna()) <= {kind, "Multi" + kind}
    checks["covering"] = len(gpd.read_parquet(path, bbox=(0, 0, 20, 20))) == int(run("count", source, "--bounds", "0,0,20,20"))
    # The curve leaves no long way between neighbours.
    center = frame.geometry[~frame.geometry.is_empty & frame.geometry.notna()].centroid
    steps = center.iloc[1:].distance(gpd.GeoSeries(center.iloc[:-1].values, index=center.index[1:]))
    checks["order"] = float(steps.mean()) < 5
    duck = duckdb.sql(f"select count(*) from '{path}'").fetchall()[0][0]
    inside = duckdb.sql(
        f"select count(*) from '{path}' where {box['xmin'][0]}.xmin between 0 and 20 and {box['xmin'][0]}.ymin between 0 and 20"
    ).fetchall()[0][0]
    checks["DuckDB"] = duck == rows and inside == int(run("count", source, "--bounds", "0,0,20,20"))
    again = pq.read_table(path)
    checks["pyarrow"] = again.num_rows == rows and shapely.from_wkb(again[geo["primary_column"]].to_numpy(zero_copy_only=False)) is not None
    faults += [f"{os.path.basename(source)}: {name}" for name, isGood in checks.items() if not isGood]
    written += 1
ogr = shutil.which("ogrinfo")
if ogr and "Parquet" in subprocess.run([ogr, "--formats"], capture_output=True, text=True).stdout:
    text = subprocess.run([ogr, "-so", "-al", path], capture_output=True, text=True).stdout
    if f"Feature Count: {rows}" not in text:
        faults.append("GDAL: " + text[:200])
    print("GDAL opens what the tool writes")
else:
    print("GDAL and QGIS of this system do not read Parquet")
print(f"{written} written files opened with pyarrow, geopandas and DuckDB")
for fault in faults[:50]:
    print(fault)
sys.exit(f"{len(faults)} differences" if faults else 0)

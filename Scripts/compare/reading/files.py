"""Compares the tables of files with pyogrio and pandas; see Scripts/compare/files."""

import glob
import json
import math
import os
import subprocess
import sys

import pandas
import pyogrio

TOOL = os.environ["MAPSTATE"]
# The fewest tables that a run compares, so that missing files are noticed.
FEWEST = 25


def files():
    fixtures = os.path.join(os.path.dirname(pyogrio.__file__), "tests", "fixtures")
    found = []
    folders = os.environ.get("FOLDERS", "").split(":")
    for folder in [fixtures, "/usr/share/doc/python3-mapnik/examples/demo/data", *filter(None, folders)]:
        for ending in ["gpkg", "shp", "geojson", "geojsonl", "fgb", "zip"]:
            found += sorted(glob.glob(f"{folder}/**/*.{ending}", recursive=True))
    return found + sys.argv[1:]


def answer(*words):
    run = subprocess.run([TOOL, *words, "--format", "json"], capture_output=True, text=True)
    if run.returncode != 0:
        raise RuntimeError(run.stderr.strip()[:300])
    return json.loads(run.stdout)


def close(one, other):
    return one is not None and abs(float(one) - float(other)) <= 1e-9 * max(1, abs(float(other)))


def union(boxes):
    """The box around boxes; the extents of inspect are objects or lists."""
    lists = [box if isinstance(box, list) else [box[k] for k in ("xmin", "ymin", "xmax", "ymax")] for box in boxes]
    return [min(b[0] for b in lists), min(b[1] for b in lists), max(b[2] for b in lists), max(b[3] for b in lists)]


def faults(path, layer, source):
    found = []
    layers = answer("inspect", source)["layers"]
    # GDAL turns curves into lines with other steps, so only extents of straight shapes are compared to the last digit.
    frame = pyogrio.read_dataframe(path, layer=layer)
    rows = sum(item["features"] for item in layers)
    if rows != len(frame):
        found.append(f"{rows} rows instead of {len(frame)}")
    nulls = {}
    for item in layers:
        for field in item["fields"]:
            nulls[field["name"]] = nulls.get(field["name"], 0) + field["nulls"]
    fields = [name for name in frame.columns if name != "geometry"]
    for name in fields:
        expected = int(frame[name].isna().sum())
        if nulls.get(name) != expected:
            found.append(f"{name}: {nulls.get(name)} nulls instead of {expected}")
    boxes = [item["extent"] for item in layers if item["extent"]]
    if hasattr(frame, "total_bounds") and boxes and not any(math.isnan(v) for v in frame.total_bounds):
        tolerance = 1e-3 if "curve" in path or "surface" in path else 1e-9
        # A definition without a code is projected to WGS 84, with a warning, by the transformation of another PROJ.
        if frame.crs is not None and frame.crs.to_authority() is None:
            frame, tolerance = frame.to_crs(4326), 1e-6
        box = list(frame.total_bounds)
        if max(abs(a - b) for a, b in zip(union(boxes), box)) > tolerance * max(1, *map(abs, box)):
            found.append(f"extent {union(boxes)} instead of {box}")
    numbers = [
        name for name in fields
        if pandas.api.types.is_numeric_dtype(frame[name]) and not nulls_are_booleans(layers, name)
    ]
    for name in numbers[:3]:
        statistics = [word for kind in ("sum", "minimum", "maximum") for word in ("--statistic", f"{kind}:{name}:{kind}")]
        record = answer("statistics", source, "--everywhere", *statistics)["records"][0]["statistics"]
        for kind, value in (("sum", frame[name].sum()), ("minimum", frame[name].min()), ("maximum", frame[name].max())):
            if not pandas.isna(value) and frame[name].count() > 0 and not close(record[kind], value):
                found.append(f"{kind} of {name}: {record[kind]} instead of {value}")
    return found


def nulls_are_booleans(layers, name):
    return any(f["name"] == name and f["type"] == "boolean" for item in layers for f in item["fields"])


def main():
    compared = wrong = 0
    for path in files():
        opened = f"/vsizip/{path}" if path.endswith(".zip") else path
        names = [str(name) for name, _ in pyogrio.list_layers(opened)]
        for name in names:
            source = f"{path}#{name}" if len(names) > 1 else path
            try:
                found = faults(opened, name, source)
            except RuntimeError as error:
                found = [str(error)]
            compared += 1
            wrong += 1 if found else 0
            print("differs" if found else "equal", source, *found, sep="\t")
    print(f"{compared} tables compared, {wrong} differ")
    if compared < FEWEST:
        sys.exit(f"only {compared} tables were found, fewer than {FEWEST}")
    sys.exit(1 if wrong else 0)


main()

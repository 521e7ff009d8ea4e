"""Makes the data of Scripts/benchmark with a seed: the same on every machine (files may contain the time of writing).

Points are random like incidents in a city: 85 % in 200 clusters in San Francisco, 10 % over the Bay Area, 5 % over the
world. They have a category (of uneven sizes), a number (3 % null), a small whole number and a time.
"""
import json
import math
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import zipfile

import geopandas as gpd
import numpy as np
import pandas as pd
import pyogrio
import shapely

OUT = os.environ["BENCH_DATA"]
R = 6378137.0
CATS = ["Street and Sidewalk Cleaning", "Graffiti", "Encampment", "Abandoned Vehicle",
        "Illegal Parking", "Street Defects", "Tree Maintenance or Damage", "Noise Report",
        "Streetlights", "Sewer Issues", "Litter Receptacles", "Damaged Property"]
P = np.array([.34, .16, .11, .09, .08, .06, .04, .035, .03, .025, .02, .01])
COLORS = ["#1f77b4", "#aec7e8", "#ff7f0e", "#ffbb78", "#2ca02c", "#98df8a",
          "#d62728", "#ff9896", "#9467bd", "#c5b0d5", "#8c564b", "#e377c2"]
# The size of the images and their extents in Web Mercator.
WIDTH, HEIGHT = 1024, 768
CITY = (-13642075.766731447, 4537132.130042938, -13616727.943817453, 4556142.9972284315)
LINES = (-13645081.166666666, 4522034.0, -13585759.833333334, 4566525.0)
PIXEL = 2 * 20037508.342789244 / WIDTH
WORLD = (-20037508.342789244, 3e6 - PIXEL * HEIGHT / 2, 20037508.342789244, 3e6 + PIXEL * HEIGHT / 2)
STATES = (-13900000.0, 2137500.0, -7400000.0, 7012500.0)
SF = (-122.515, 37.700, -122.355, 37.835)          # the San Francisco extent (R1, R4)


def merc(lon, lat):
    return R * np.radians(lon), R * np.log(np.tan(np.pi / 4 + np.radians(lat) / 2))


def points(n, seed=20240607):
    rng = np.random.default_rng(seed)
    u = rng.random(n)
    lon = np.empty(n); lat = np.empty(n)
    k = 200
    cx = rng.uniform(-122.505, -122.385, k); cy = rng.uniform(37.710, 37.805, k)
    w = rng.dirichlet(np.full(k, .7)); s = rng.uniform(.0008, .012, k)
    a = u < .85; na = int(a.sum()); c = rng.choice(k, na, p=w)
    lon[a] = cx[c] + rng.normal(size=na) * s[c] * 1.26
    lat[a] = cy[c] + rng.normal(size=na) * s[c]
    b = (u >= .85) & (u < .95); nb = int(b.sum())
    lon[b] = rng.uniform(-123.0, -121.5, nb); lat[b] = rng.uniform(37.0, 38.5, nb)
    d = u >= .95; nd = int(d.sum())
    lon[d] = rng.uniform(-180, 180, nd); lat[d] = rng.uniform(-80, 80, nd)
    lon = np.round(lon, 7); lat = np.round(lat, 7)
    cat = rng.choice(len(CATS), n, p=P / P.sum()).astype(np.int8)
    pop = np.round(rng.lognormal(8, 1.5, n), 2)
    pop[rng.random(n) < .03] = np.nan
    rank = rng.integers(1, 8, n).astype(np.int32)
    t0 = np.datetime64("2008-01-01T00:00:00", "ms").astype("int64")
    t1 = np.datetime64("2025-01-01T00:00:00", "ms").astype("int64")
    opened = (rng.integers(t0 // 1000, t1 // 1000, n) * 1000).astype("datetime64[ms]")
    return dict(id=np.arange(1, n + 1, dtype=np.int64), lon=lon, lat=lat, cat=cat, pop=pop,
                rank=rank, opened=opened)


def write(frame, name, formats):
    for extension, driver in formats.items():
        path = f"{OUT}/{name}.{extension}"
        if os.path.exists(path):
            os.remove(path)
        frame.to_file(path, driver=driver, engine="pyogrio", **({"layer": name} if extension == "gpkg" else {}))


def write_points(n, name, formats):
    """Writes points in map formats: GeoJSON and CSV in degrees, the others in Web Mercator."""
    import pyarrow as pa
    import pyarrow.csv
    d = points(n)
    x, y = merc(d["lon"], d["lat"])
    names = np.array(CATS, dtype=object)[d["cat"]]
    if "csv" in formats:
        pa.csv.write_csv(pa.table({
            "id": d["id"], "req_type": names, "pop": pa.array(d["pop"], mask=np.isnan(d["pop"])), "rank": d["rank"],
            "opened": pa.array(d["opened"]), "lon": d["lon"], "lat": d["lat"]}), f"{OUT}/{name}.csv")
    columns = {"id": d["id"], "req_type": names, "pop": d["pop"], "rank": d["rank"], "opened": pd.Series(d["opened"])}
    drivers = {"fgb": "FlatGeobuf", "gpkg": "GPKG"}
    write(gpd.GeoDataFrame(columns, geometry=shapely.points(x, y), crs=3857), name,
          {key: drivers[key] for key in formats if key in drivers})
    if "geojson" in formats:
        write(gpd.GeoDataFrame(columns, geometry=shapely.points(d["lon"], d["lat"]), crs=4326), name,
              {"geojson": "GeoJSON"})


def write_geoparquet(n, name):
    """Writes points as GeoParquet 1.1 with boxes, near points beside each other."""
    import pyarrow as pa
    import pyarrow.parquet as pq
    d = points(n)
    # The bits of both coordinates in turn are the order.
    code = np.zeros(n, np.uint64)
    for shift, (value, low, span) in enumerate(((d["lon"], -180, 360), (d["lat"], -90, 180))):
        cell = ((value - low) / span * 2**24).astype(np.uint64)
        for bit in range(24):
            code |= (cell >> np.uint64(bit) & np.uint64(1)) << np.uint64(2 * bit + shift)
    order = np.argsort(code, kind="stable")
    d = {key: value[order] for key, value in d.items()}
    wkb = np.zeros(n, np.dtype([("order", "u1"), ("type", "<u4"), ("x", "<f8"), ("y", "<f8")]))
    wkb["order"], wkb["type"], wkb["x"], wkb["y"] = 1, 1, d["lon"], d["lat"]
    offsets = np.arange(0, 21 * n + 1, 21, dtype="<i4")
    geometry = pa.Array.from_buffers(pa.binary(), n, [None, pa.py_buffer(offsets), pa.py_buffer(wkb.tobytes())])
    sides = {"xmin": "lon", "ymin": "lat", "xmax": "lon", "ymax": "lat"}
    table = pa.table({
        "id": d["id"], "req_type": pa.DictionaryArray.from_arrays(pa.array(d["cat"]), CATS),
        "pop": pa.array(d["pop"], mask=np.isnan(d["pop"])), "rank": d["rank"], "opened": pa.array(d["opened"]),
        "geometry": geometry,
        "bbox": pa.StructArray.from_arrays([pa.array(d[source]) for source in sides.values()], list(sides))})
    column = {"encoding": "WKB", "geometry_types": ["Point"], "covering": {"bbox": {side: ["bbox", side] for side in sides}},
              "bbox": [float(v) for v in (d["lon"].min(), d["lat"].min(), d["lon"].max(), d["lat"].max())]}
    geo = {"version": "1.1.0", "primary_column": "geometry", "columns": {"geometry": column}}
    pq.write_table(table.replace_schema_metadata({"geo": json.dumps(geo)}), f"{OUT}/{name}.parquet", compression="zstd",
                   row_group_size=100_000, use_dictionary=["req_type", "rank"])


def write_raw(n, name):
    """Writes points as raw little-endian columns."""
    d = points(n)
    for value, column in zip(merc(d["lon"], d["lat"]), "xy"):
        value.astype("<f8").tofile(f"{OUT}/{name}.{column}.f64")
    d["pop"].astype("<f8").tofile(f"{OUT}/{name}.pop.f64")
    d["cat"].tofile(f"{OUT}/{name}.cat.i8")
    d["rank"].astype("i1").tofile(f"{OUT}/{name}.rank.i8")


def write_areas():
    """Writes Natural Earth's states and provinces with random values, from Debian's package qgis-common."""
    rng = np.random.default_rng(7)
    with tempfile.TemporaryDirectory() as folder:
        # The package is unpacked but not installed, because installing it would bring all of QGIS.
        subprocess.run(["apt-get", "download", "-qq", "qgis-common"], cwd=folder, check=True)
        [package] = pathlib.Path(folder).glob("qgis-common_*.deb")
        subprocess.run(["dpkg-deb", "--extract", package, folder], check=True)
        frame = pyogrio.read_dataframe(
            f"{folder}/usr/share/qgis/resources/data/world_map.gpkg", layer="states_provinces"
        ).set_crs(4326, allow_override=True)
    frame["geometry"] = shapely.clip_by_rect(frame.geometry.values, -180, -85, 180, 85)
    frame["val"] = np.round(rng.uniform(0, 100, len(frame)), 3)
    frame = frame[["val", "geometry"]].to_crs(3857)
    write(frame[~frame.geometry.is_empty & frame.geometry.notna()], "adm1", {"fgb": "FlatGeobuf"})


def write_counties():
    """Writes the counties of the United States with random values, from plotly-geo on PyPI (public data of its census)."""
    rng = np.random.default_rng(7)
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", folder, "plotly-geo==1.0.0"],
                       check=True)
        [package] = pathlib.Path(folder).glob("plotly_geo-*.whl")
        zipfile.ZipFile(package).extractall(folder)
        frame = pyogrio.read_dataframe(
            f"{folder}/_plotly_geo/package_data/cb_2016_us_county_500k.shp").set_crs(4326, allow_override=True)
    frame["val"] = np.round(rng.uniform(0, 100, len(frame)), 3)
    write(frame[["val", "geometry"]].to_crs(3857), "counties", {"fgb": "FlatGeobuf"})


def write_lines(n, seed=99):
    """Writes road-like lines: random walks of 10 to 30 vertices with small changes of heading, in the Bay Area."""
    rng = np.random.default_rng(seed)
    nv = rng.integers(10, 31, n); tot = int(nv.sum()); idx = np.repeat(np.arange(n), nv)
    first = np.concatenate([[0], np.cumsum(nv)[:-1]])
    h = rng.choice([0, math.pi / 2, .7, .7 + math.pi / 2], n) + rng.normal(size=n) * .15
    turn = rng.normal(size=tot) * .12; turn[first] = h
    cs = np.cumsum(turn); base = np.repeat(cs[first] - h, nv); ang = cs - base
    step = rng.gamma(2., 22., tot); step[first] = 0
    dx = np.cumsum(step * np.cos(ang)); dy = np.cumsum(step * np.sin(ang))
    x0, y0 = merc(rng.uniform(-122.52, -122.10, n), rng.uniform(37.60, 37.90, n))
    x = dx - np.repeat(dx[first], nv) + np.repeat(x0, nv); y = dy - np.repeat(dy[first], nv) + np.repeat(y0, nv)
    g = shapely.linestrings(np.column_stack([x, y]), indices=idx)
    gdf = gpd.GeoDataFrame({"id": np.arange(1, n + 1), "cls": rng.integers(1, 6, n)}, geometry=g, crs=3857)
    write(gdf, "lines", {"fgb": "FlatGeobuf"})


def sf_polygon(nv=500, seed=5):
    """Returns an irregular ring of nv vertices, roughly at San Francisco and of its shape (EPSG:3857)."""
    rng = np.random.default_rng(seed)
    t = np.linspace(0, 2 * math.pi, nv, endpoint=False)
    r = 1 + sum(rng.normal() * .06 * np.cos(k * t + rng.uniform(0, 6.28)) for k in range(2, 9)) + rng.normal(size=nv) * .008
    cx, cy = merc(-122.443, 37.757)
    return np.column_stack([cx + 7000 * r * np.cos(t), cy + 6800 * r * np.sin(t)])


def envelopes(extent, n=1000, seed=11):
    """Returns n random envelopes inside the extent; area 0.01 % to 50 % of it (log-uniform)."""
    rng = np.random.default_rng(seed); x0, y0, x1, y1 = extent
    f = 10 ** rng.uniform(-4, math.log10(.5), n); asp = 2 ** rng.uniform(-.5, .5, n)
    w = np.minimum(np.sqrt(f) * asp, 1) * (x1 - x0); h = np.minimum(np.sqrt(f) / asp, 1) * (y1 - y0)
    ax = x0 + rng.random(n) * (x1 - x0 - w); ay = y0 + rng.random(n) * (y1 - y0 - h)
    return np.column_stack([ax, ay, ax + w, ay + h])


def bay_extent():
    (a, c), (b, d) = merc(-122.6, 37.6), merc(-122.2, 37.95)
    return (float(a), float(c), float(b), float(d))


def sf_extent_1024x768():
    """Returns an extent with aspect 4:3 that covers San Francisco (EPSG:3857)."""
    x0, y0 = merc(SF[0], SF[1]); x1, y1 = merc(SF[2], SF[3]); cx, cy = (x0 + x1) / 2, (y0 + y1) / 2
    h = max(y1 - y0, (x1 - x0) * .75); return tuple(float(v) for v in (cx - h * 2 / 3, cy - h / 2, cx + h * 2 / 3, cy + h / 2))


def write_document():
    """Writes the web map of R1."""
    infos = [{"value": name, "symbol": {"type": "esriSMS", "style": "esriSMSCircle", "size": 4.5, "color": [
        int(color[i:i + 2], 16) for i in (1, 3, 5)] + [255]}} for name, color in zip(CATS, COLORS)]
    layer = {"id": "points", "title": "points", "layerType": "ArcGISFeatureLayer", "url": "p1m.fgb",
             "layerDefinition": {"drawingInfo": {"renderer": {
                 "type": "uniqueValue", "field1": "req_type", "uniqueValueInfos": infos}}}}
    pathlib.Path(f"{OUT}/r1.json").write_text(json.dumps({"operationalLayers": [layer], "version": "2.29"}))


def copy_tiles():
    """Copies the vector tiles and the style of V1 from the project."""
    root = pathlib.Path(__file__).resolve().parents[2]
    for path in ("Styles/tiles/helsinki.pmtiles", "Tests/MapStylesTests/Cases/osm-bright.json"):
        shutil.copy(root / path, OUT)


def main():
    os.makedirs(OUT, exist_ok=True)
    write_points(100_000, "p100k", ["fgb"])
    write_points(1_000_000, "p1m", ["fgb", "gpkg", "csv", "geojson"])
    write_raw(1_000_000, "p1m")
    write_raw(10_000_000, "p10m")
    write_geoparquet(1_000_000, "p1m")
    write_geoparquet(10_000_000, "p10m")
    write_lines(100_000)
    envelopes(bay_extent()).astype("<f8").tofile(f"{OUT}/envelopes.f64")
    sf_polygon().astype("<f8").tofile(f"{OUT}/polygon.f64")
    write_areas()
    write_counties()
    write_document()
    copy_tiles()
    pathlib.Path(f"{OUT}/complete").touch()


if __name__ == "__main__":
    main()

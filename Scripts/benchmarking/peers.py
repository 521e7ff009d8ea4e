"""Runs other programs on one workload of Scripts/benchmark: peers.py WORKLOAD RUNS; prints one JSON line for each.

All compute the same answer on the same data, after a warm-up run, with their default number of threads.
"""
import json
import os
import re
import statistics
import subprocess
import sys
import time

import numpy as np

from data import CATS, CITY, COLORS, HEIGHT, LINES, OUT, STATES, WIDTH, WORLD

NAME, RUNS = sys.argv[1], int(sys.argv[2])
FILTER = "Tree Maintenance or Damage"


def emit(peer, what, times, per=1, **facts):
    times = sorted(t / per for t in times)
    print(json.dumps({"peer": peer, "wl": NAME, "what": what, "min": times[0], "med": statistics.median(times), **facts}),
          flush=True)


def clock(body, runs=RUNS):
    body()
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        body()
        times.append((time.perf_counter() - start) * 1e3)
    return times


def frame(size):
    import polars as pl
    names = pl.Series("req_type", CATS, dtype=pl.Categorical)
    return pl.DataFrame({
        "x": np.fromfile(f"{OUT}/p{size}.x.f64"), "y": np.fromfile(f"{OUT}/p{size}.y.f64"),
        "pop": pl.Series(np.fromfile(f"{OUT}/p{size}.pop.f64")).fill_nan(None),
        "rank": np.fromfile(f"{OUT}/p{size}.rank.i8", "i1").astype("i4"),
        "req_type": names.gather(np.fromfile(f"{OUT}/p{size}.cat.i8", "i1").astype("u4"))})


def counts(whole_name):
    """Times C1 and C2: 100 of the 1,000 envelopes for polars and the R-tree, 20 for DuckDB.

    polars and DuckDB make a full pass for each envelope.
    """
    import duckdb
    import polars as pl
    import shapely
    boxes = np.fromfile(f"{OUT}/envelopes.f64").reshape(-1, 4)
    for size in ("1m", "10m"):
        points = frame(size)

        def scan(boxes=boxes[::10]):
            for x0, y0, x1, y1 in boxes:
                inside = (pl.col("x").is_between(x0, x1) & pl.col("y").is_between(y0, y1)
                          & (pl.col("req_type") == FILTER if whole_name == "C2" else pl.lit(True)))
                points.lazy().select(inside.sum()).collect()
        emit("polars", f"{size}, a query", clock(scan, min(RUNS, 3)), per=100)
        base = duckdb.connect()
        base.execute("CREATE TABLE points AS SELECT x, y, req_type::VARCHAR AS req_type FROM points")
        condition = f" AND req_type = '{FILTER}'" if whole_name == "C2" else ""

        def sql():
            for box in boxes[::50].tolist():
                base.execute("SELECT count(*) FROM points WHERE x BETWEEN $1 AND $3 AND y BETWEEN $2 AND $4" + condition,
                             box).fetchone()
        emit("DuckDB", f"{size}, a query", clock(sql, min(RUNS, 3)), per=20)
        if whole_name == "C1":
            tree = shapely.STRtree(shapely.points(points["x"].to_numpy(), points["y"].to_numpy()))
            # The box of a point is the point itself, so no predicate is needed.
            asked = shapely.box(*boxes[::10].T)
            emit("shapely's R-tree", f"{size}, a query", clock(
                lambda: [len(tree.query(box)) for box in asked], 1), per=100)


def polygon():
    import shapely
    outline = shapely.Polygon(np.fromfile(f"{OUT}/polygon.f64").reshape(-1, 2))
    shapely.prepare(outline)
    for size in ("1m", "10m"):
        x, y = np.fromfile(f"{OUT}/p{size}.x.f64"), np.fromfile(f"{OUT}/p{size}.y.f64")
        emit("shapely", size, clock(lambda: int(shapely.intersects_xy(outline, x, y).sum()), min(RUNS, 3)))


def grouped():
    import duckdb
    import polars as pl
    for size in ("1m", "10m"):
        points = frame(size)
        pop = pl.col("pop")
        emit("polars", size, clock(lambda: points.group_by("req_type", "rank").agg(
            pop.count().alias("count"), pop.sum().alias("sum"), pop.min().alias("min"), pop.max().alias("max"),
            pop.mean().alias("mean"), pop.std().alias("std"), pop.var().alias("var"))))
        base = duckdb.connect()
        kinds = ", ".join(f"'{name}'" for name in CATS)
        base.execute(f"CREATE TABLE points AS SELECT pop, rank, req_type::VARCHAR::ENUM ({kinds}) AS req_type FROM points")
        emit("DuckDB", size, clock(lambda: base.execute(
            "SELECT req_type, rank, count(pop), sum(pop), min(pop), max(pop), avg(pop), stddev(pop), var_samp(pop) "
            "FROM points GROUP BY ALL").fetchall()))


def partly_read():
    """Times G1: a process with DuckDB from its start to the answer."""
    def asked(what, select, where=""):
        sql = f"SELECT {select} FROM '{OUT}/p10m.parquet'{where}"
        command = [sys.executable, "-c", f"import duckdb; print(duckdb.sql({sql!r}).fetchall())"]
        emit("DuckDB", what, clock(lambda: subprocess.run(command, check=True, stdout=subprocess.DEVNULL)))

    for what, box in (("count in an extent", (-122.45, 37.74, -122.40, 37.79)),
                      ("count in a large extent", (-122.6, 37.6, -122.2, 37.95))):
        x0, y0, x1, y1 = box
        asked(what, "count(*)", f" WHERE bbox.xmax >= {x0} AND bbox.xmin <= {x1} AND bbox.ymax >= {y0} AND bbox.ymin <= {y1}")
    asked("statistics of two fields",
          ", ".join(f"{name}({field})" for name in ("sum", "avg", "min", "max") for field in ("pop", "rank")))


def loading():
    import pyarrow.csv
    import pyarrow.parquet
    import pyogrio
    for name in ("p1m.fgb", "p1m.gpkg"):
        emit("pyogrio (Arrow)", name, clock(lambda: pyogrio.read_arrow(f"{OUT}/{name}"), min(RUNS, 3)))
    emit("pyarrow", "p1m.parquet", clock(lambda: pyarrow.parquet.read_table(f"{OUT}/p1m.parquet")))
    emit("pyarrow", "p1m.csv", clock(lambda: pyarrow.csv.read_csv(f"{OUT}/p1m.csv"), min(RUNS, 3)))
    emit("pyogrio", "p1m.geojson", clock(lambda: pyogrio.read_arrow(f"{OUT}/p1m.geojson"), 1))


def mapnik_map(layer, style, field):
    """Returns a map with the file's features in memory, where Mapnik is fastest."""
    import mapnik
    import pyogrio
    held = mapnik.Map(WIDTH, HEIGHT)
    mapnik.load_map_from_string(
        held, f"<Map srs='epsg:3857' background-color='white'><Style name='s' filter-mode='first'>{style}</Style>"
        "<Layer name='l' srs='epsg:3857'><StyleName>s</StyleName></Layer></Map>")
    held.aspect_fix_mode = mapnik.aspect_fix_mode.RESPECT
    source, context = mapnik.MemoryDatasource(), mapnik.Context()
    if field:
        context.push(field)
    read = pyogrio.read_dataframe(f"{OUT}/{layer}.fgb", columns=[field] if field else [])
    for row, shape in enumerate(read.geometry.to_wkb().values):
        feature = mapnik.Feature(context, row + 1)
        feature.geometry = mapnik.Geometry.from_wkb(shape)
        if field:
            feature[field] = read[field].iat[row]
        source.add_feature(feature)
    first = held.layers[0]
    first.datasource = source
    held.layers[0] = first
    return held


POINTS = "".join(
    f"<Rule><Filter>[req_type] = '{name}'</Filter><DotSymbolizer fill='{color}' width='6' height='6'/></Rule>"
    for name, color in zip(CATS, COLORS))
BREAKS = [-1e9, 20, 40, 60, 80, 1e9]
RAMP = ["#ffffb2", "#fecc5c", "#fd8d3c", "#f03b20", "#bd0026"]
AREAS = "".join(
    f"<Rule><Filter>[val] &gt;= {low} and [val] &lt; {high}</Filter><PolygonSymbolizer fill='{color}'/>"
    "<LineSymbolizer stroke='#808080' stroke-width='0.5'/></Rule>" for low, high, color in zip(BREAKS, BREAKS[1:], RAMP))
LINE = "<Rule><LineSymbolizer stroke='#444466' stroke-width='1.5' stroke-linejoin='round'/></Rule>"
PICTURES = {"R1": ("p1m", POINTS, "req_type", CITY), "R1b": ("p100k", POINTS, "req_type", CITY),
            "R2": ("adm1", AREAS, "val", WORLD), "R2b": ("counties", AREAS, "val", STATES), "R3": ("lines", LINE, None, LINES)}


def tiles():
    side = 2 * 20037508.342789244 / 2 ** 14
    column = int(((CITY[0] + CITY[2]) / 2 + 20037508.342789244) / side) - 4
    row = int((20037508.342789244 - (CITY[1] + CITY[3]) / 2) / side) - 4
    return [(-20037508.342789244 + (column + i) * side, 20037508.342789244 - (row + j + 1) * side,
             -20037508.342789244 + (column + i + 1) * side, 20037508.342789244 - (row + j) * side)
            for j in range(8) for i in range(8)]


def pictures():
    import mapnik
    layer, style, field, extent = PICTURES[{"R4": "R1", "P1": "R1b"}.get(NAME, NAME)]
    held = mapnik_map(layer, style, field)

    def draw(extent, width=WIDTH, height=HEIGHT):
        if held.width != width:
            held.resize(width, height)
        held.zoom_to_box(mapnik.Box2d(*extent))
        image = mapnik.Image(width, height)
        mapnik.render(held, image)
        return image
    if NAME == "R4":
        times = clock(lambda: [draw(tile, 256, 256).to_string("png") for tile in tiles()], min(RUNS, 3))
        emit("Mapnik", "64 tiles with PNG", times)
    elif NAME == "P1":
        image = draw(extent)
        emit("Mapnik", "PNG of R1b", clock(lambda: image.to_string("png")), bytes=len(image.to_string("png")))
    else:
        emit("Mapnik", "warm draw", clock(lambda: draw(extent)))
        mapserver(layer, extent)


def mapserver(layer, extent):
    """Times MapServer's drawing by its own log, several maps in one process."""
    def rgb(color):
        return " ".join(str(int(color[i:i + 2], 16)) for i in (1, 3, 5))
    if NAME in ("R2", "R2b"):
        kind, item = "POLYGON", "CLASSITEM 'val'"
        classes = "".join(
            f"CLASS EXPRESSION ([val] >= {low} AND [val] < {high}) STYLE COLOR {rgb(color)} END "
            "STYLE OUTLINECOLOR 128 128 128 WIDTH 0.5 END END\n" for low, high, color in zip(BREAKS, BREAKS[1:], RAMP))
    elif NAME == "R3":
        kind, item, classes = "LINE", "", "CLASS STYLE COLOR 68 68 102 WIDTH 1.5 LINEJOIN ROUND END END"
    else:
        kind, item = "POINT", "CLASSITEM 'req_type'"
        classes = "".join(f"CLASS EXPRESSION '{name}' STYLE SYMBOL 'circle' SIZE 6 COLOR {rgb(color)} END END\n"
                          for name, color in zip(CATS, COLORS))
    path = f"{OUT}/{NAME}.map"
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"""MAP
NAME m SIZE {WIDTH} {HEIGHT} EXTENT {' '.join(map(str, extent))} IMAGETYPE png24 MAXSIZE 4096
PROJECTION 'init=epsg:3857' END
IMAGECOLOR 255 255 255
OUTPUTFORMAT NAME png24 DRIVER AGG/PNG MIMETYPE 'image/png' IMAGEMODE RGB EXTENSION png END
SYMBOL NAME 'circle' TYPE ELLIPSE POINTS 1 1 END FILLED TRUE END
LAYER NAME l TYPE {kind} STATUS DEFAULT CONNECTIONTYPE FLATGEOBUF DATA '{OUT}/{layer}.fgb' {item}
{classes}
END
END
""")
    # Python packages set PROJ variables to a database of their own, which does not fit Debian's MapServer.
    environment = {key: value for key, value in os.environ.items() if not key.startswith(("PROJ", "GDAL"))}
    run = subprocess.run(["map2img", "-map_debug", "2", "-m", path, "-c", str(RUNS + 1), "-o", f"{OUT}/mapserver_{NAME}.png"],
                         capture_output=True, text=True, check=False, env=environment)
    times = [float(t) * 1e3 for t in re.findall(r"msDrawMap\(\) total time: ([\d.]+)s", run.stderr + run.stdout)][1:]
    if run.returncode != 0 or not times:
        sys.exit(f"error: MapServer drew nothing:\n{run.stderr}")
    emit("MapServer", "warm draw", times)


if NAME in ("C1", "C2"):
    counts(NAME)
elif NAME == "C3":
    polygon()
elif NAME == "S1":
    grouped()
elif NAME == "L1":
    loading()
elif NAME == "G1":
    partly_read()
elif NAME not in ("A1", "V1", "Z1", "M1", "M2"):
    pictures()

"""Compiles and runs the C programs of `bounds`, each written for one job: bounds.py WORKLOAD RUNS.

Prints one JSON line for each number of threads, with the processor time beside the times. Each program checks its answer:
columns and counts against the data, PNG with libpng, the areas of fills and strokes against GEOS.
"""
import pathlib
import subprocess
import sys

import numpy as np
import pyogrio
import shapely

from data import CATS, LINES, OUT, STATES, WIDTH, WORLD, points

SOURCES = pathlib.Path(__file__).resolve().parent / "bounds"
FOLDER = pathlib.Path(OUT) / "bounds"


def write_shapes(name, extent, width):
    """Writes the vertices of a layer, and the areas in pixels that its fills and its strokes cover in the image."""
    read = pyogrio.read_dataframe(f"{OUT}/{name}.fgb")
    shapes = read.geometry.values
    is_area = "val" in read
    if is_area:
        shapes = shapely.orient_polygons(np.asarray(shapes))
    scale = WIDTH / (extent[2] - extent[0])
    parts, of_row = shapely.get_parts(shapes, return_index=True)
    rings, of_part = shapely.get_rings(parts, return_index=True) if is_area else (parts, np.arange(len(parts)))
    lengths = shapely.get_num_coordinates(rings)
    first_rings = np.searchsorted(of_row[of_part], np.arange(len(shapes) + 1))
    outlines = shapely.buffer(rings if not is_area else shapely.boundary(shapes), width / 2 / scale, cap_style="flat",
                              join_style="mitre", mitre_limit=3)
    covered = [shapely.area(shapely.clip_by_rect(each, *extent)).sum() * scale ** 2 for each in (shapes, outlines)]
    shapely.get_coordinates(rings).astype("<f8").tofile(FOLDER / f"{name}.vertices")
    np.concatenate([[0], np.cumsum(lengths)]).astype("<u4").tofile(FOLDER / f"{name}.rings")
    first_rings.astype("<u4").tofile(FOLDER / f"{name}.rows")
    (read["val"].to_numpy() // 20 if is_area else np.zeros(len(read))).astype("u1").tofile(FOLDER / f"{name}.classes")
    np.array([extent[0], extent[3], scale, *covered]).astype("<f8").tofile(FOLDER / f"{name}.expected")


def write_points(name):
    """Writes points in the order of their FlatGeobuf file, which is the order of drawing."""
    read = pyogrio.read_dataframe(f"{OUT}/{name}.fgb", columns=["req_type"])
    for axis, values in zip("xy", shapely.get_coordinates(read.geometry.values).T):
        values.astype("<f8").tofile(FOLDER / f"{name}.{axis}")
    read["req_type"].map(CATS.index).to_numpy().astype("u1").tofile(FOLDER / f"{name}.class")


def write_statistics():
    """Writes numpy's statistics of each group of S1; the place of a group is category * 8 + rank."""
    groups = np.fromfile(f"{OUT}/p10m.cat.i8", "i1").astype(int) * 8 + np.fromfile(f"{OUT}/p10m.rank.i8", "i1")
    values = np.fromfile(f"{OUT}/p10m.pop.f64")
    table = np.zeros((128, 7))
    for group in np.unique(groups):
        of = values[(groups == group) & ~np.isnan(values)]
        table[group] = len(of), of.sum(), of.min(), of.max(), of.mean(), of.std(ddof=1), of.var(ddof=1)
    table.tofile(FOLDER / "p10m.statistics")


def write_data():
    """Writes what the programs read beside the raw columns of the benchmark."""
    FOLDER.mkdir(exist_ok=True)
    write_points("p100k")
    write_points("p1m")
    write_statistics()
    columns = points(1_000_000)
    columns["opened"].astype("<i8").tofile(FOLDER / "p1m.opened")
    for name in ("lon", "lat"):
        columns[name].astype("<f8").tofile(FOLDER / f"p1m.{name}")
    write_shapes("adm1", WORLD, 0.5)
    write_shapes("counties", STATES, 0.5)
    write_shapes("lines", LINES, 1.5)
    (FOLDER / "complete").touch()


if not (FOLDER / "complete").exists():
    write_data()
subprocess.run(["clang", "-std=gnu11", "-O3", "-march=native", "-Wall", "-Wextra", "-Werror", "-o", FOLDER / "bounds",
                *sorted(SOURCES.glob("*.c")), "-lpng", "-lz", "-lm", "-pthread"], check=True)
subprocess.run([FOLDER / "bounds", OUT, sys.argv[2], sys.argv[1]], check=True)

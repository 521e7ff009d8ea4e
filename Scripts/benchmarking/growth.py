#!/usr/bin/env python3
"""Measures how time and memory grow with the size of the data, and writes growth.csv; Scripts/make/plots draws it.

  Scripts/benchmarking/growth.py TOOL FOLDER [SERIES...]

TOOL is a release build of mapstate; FOLDER takes the data. Each row is one process that opens a document and draws
it as PNG: its processor time of all threads, the best of three, and the most memory that it held.
"""
import csv
import json
import math
import os
import pathlib
import random
import subprocess
import sys

RESULTS = pathlib.Path(__file__).resolve().parent / "growth.csv"
CIRCLE = {"type": "esriSMS", "style": "esriSMSCircle", "size": 4.5, "color": [40, 90, 160, 255]}
LINE = {"type": "esriSLS", "style": "esriSLSSolid", "width": 1, "color": [40, 90, 160, 255]}
TEXT = {"type": "esriTS", "color": [0, 0, 0, 255], "font": {"family": "Noto Sans", "size": 8}}


def layer(url, drawing, kind="CSV", name="layer", **more):
    return {"id": name, "title": name, "layerType": kind, "url": url, "layerDefinition": {"drawingInfo": drawing}, **more}


def simple(symbol):
    return {"renderer": {"type": "simple", "symbol": symbol}}


def unique(values):
    infos = [{"value": str(value), "symbol": {**CIRCLE, "color": [value % 256, value // 256, 120, 255]}}
             for value in range(values)]
    return {"renderer": {"type": "uniqueValue", "field1": "kind", "uniqueValueInfos": infos}}


def points(folder, count, kinds):
    """Writes a table of random points, unless it exists; returns its name."""
    path = folder / f"points-{count}-{kinds}.csv"
    if not path.exists():
        chance = random.Random(count)
        with path.open("w") as file:
            file.write("longitude,latitude,kind\n")
            for row in range(count):
                file.write(f"{chance.uniform(-170, 170):.5f},{chance.uniform(-60, 60):.5f},{row % kinds}\n")
    return path.name


def write_lines(path, lines):
    """Writes lines, each with its properties and positions, as GeoJSON."""
    with path.open("w") as file:
        file.write('{"type": "FeatureCollection", "features": [')
        for number, (properties, positions) in enumerate(lines):
            geometry = {"type": "LineString", "coordinates": positions}
            file.write(", " * (number > 0) + json.dumps({"type": "Feature", "properties": properties, "geometry": geometry}))
        file.write("]}")


def walks(count, chance):
    """Random walks of 100 vertices."""
    for _ in range(count):
        x, y, walk = chance.uniform(-160, 160), chance.uniform(-60, 60), []
        for _ in range(100):
            x, y = x + chance.gauss(0, 0.1), y + chance.gauss(0, 0.1)
            walk.append([round(x, 5), round(y, 5)])
        yield {}, walk


def streets(count, chance):
    """Lines of eight vertices that bend slightly, with a name each."""
    for number in range(count):
        x, y, angle, bends = chance.uniform(-150, 150), chance.uniform(-55, 55), chance.uniform(0, math.pi), []
        for _ in range(8):
            bends.append([round(x, 3), round(y, 3)])
            angle += chance.gauss(0, 0.3)
            x, y = x + 5 * math.cos(angle), max(-80, min(80, y + 5 * math.sin(angle)))
        yield {"name": f"Street {number}"}, bends


def lines(folder, vertices):
    """Writes random walks, unless they exist; returns their file name."""
    path = folder / f"lines-{vertices}.geojson"
    if not path.exists():
        write_lines(path, walks(vertices // 100, random.Random(vertices)))
    return path.name


def labelled(folder, count):
    drawing = {**simple(CIRCLE), "labelingInfo": [{
        "labelExpressionInfo": {"expression": "$feature.kind"}, "symbol": TEXT,
        "labelPlacement": "esriServerPointLabelPlacementAboveRight", "deconflictionStrategy": "dynamic"}]}
    return [layer(points(folder, count, 1000), drawing, showLabels=True)]


def named(folder, count):
    """Writes streets, unless they exist; returns a layer with the names along them."""
    path = folder / f"names-{count}.geojson"
    if not path.exists():
        write_lines(path, streets(count, random.Random(count)))
    drawing = {**simple(LINE), "labelingInfo": [{
        "labelExpressionInfo": {"expression": "$feature.name"}, "symbol": TEXT,
        "labelPlacement": "esriServerLinePlacementAboveAlong", "deconflictionStrategy": "dynamic"}]}
    return [layer(path.name, drawing, "GeoJSON", showLabels=True)]


SERIES = {
    "points": ([10**3, 10**4, 10**5, 10**6, 10**7], lambda folder, n: [layer(points(folder, n, 12), unique(12))]),
    "vertices": ([10**3, 10**4, 10**5, 10**6],
                 lambda folder, n: [layer(lines(folder, n), simple(LINE), "GeoJSON")]),
    "labels": ([10**2, 10**3, 10**4, 10**5, 10**6], labelled),
    "names": ([10**2, 10**3, 10**4, 10**5], named),
    "classes": ([16, 256, 4096, 65000], lambda folder, n: [layer(points(folder, 10**5, n), unique(n))]),
    "layers": ([1, 10, 100, 1000], lambda folder, n: [
        layer(points(folder, 1000, 12), unique(12), name=f"layer {number}") for number in range(n)]),
}


def measure(tool, document):
    """Returns the processor time in seconds and the memory in MB of drawing a document."""
    process = subprocess.Popen([tool, "render", document, "-o", document.with_suffix(".png"), "--size", "1024x768"],
                               stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    message = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    if os.waitstatus_to_exitcode(status) != 0:
        sys.exit(f"error: {document.name}: {message.decode().strip()}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def exponent(rows):
    """Returns the exponent of the time between the two largest sizes, without the time of the smallest size.

    The smallest is nearly all start of the process and image.
    """
    (_, size, time, _), (_, last_size, last_time, _) = rows[-2:]
    start = rows[0][2]
    return math.log((last_time - start) / (time - start)) / math.log(last_size / size)


def main():
    tool, folder = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
    names = sys.argv[3:] or list(SERIES)
    folder.mkdir(parents=True, exist_ok=True)
    with RESULTS.open() if RESULTS.exists() else open(os.devnull) as file:
        kept = [row for row in csv.reader(file) if row[0] not in (*names, "series")]
    measured = []
    for name in names:
        sizes, make = SERIES[name]
        rows = []
        for size in sizes:
            document = folder / f"{name}-{size}.json"
            document.write_text(json.dumps({"operationalLayers": make(folder, size), "version": "2.29"}))
            best = [min(values) for values in zip(*(measure(tool, document) for _ in range(3 if size <= 10**6 else 1)))]
            rows.append((name, size, round(best[0], 3), round(best[1], 1)))
            print(f"{name:>9} {size:>9} {best[0]:8.3f} s {best[1]:8.1f} MB", flush=True)
        print(f"{name:>9} exponent of the time: {exponent(rows):.2f}", flush=True)
        measured += rows
    with RESULTS.open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["series", "size", "seconds", "megabytes"])
        writer.writerows(kept + measured)


if __name__ == "__main__":
    main()

"""Writes vector.pmtiles, vector.mbtiles and the folder vector, with the same vector tiles, into the folder Cases.

    python make_vector_archives.py

The tiles are those of zoom 0 to 2 except 2/3/3. Each has a layer `tile` with a point in its middle, whose values are
zoom, column and row.
"""

import gzip
import json
import os
import sqlite3

import pmtiles
from pmtiles import varint

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../Cases")


def data(field, content):
    return varint(field << 3 | 2) + varint(len(content)) + content


def tile(zoom, column, row):
    values = b"".join(data(4, b"\x28" + varint(number)) for number in (zoom, column, row))
    keys = b"".join(data(3, key) for key in (b"zoom", b"column", b"row"))
    point = data(2, bytes([0, 0, 1, 1, 2, 2])) + b"\x18\x01" + data(4, b"\x09" + varint(4096) * 2)
    return data(3, b"\x78\x02" + data(1, b"tile") + data(2, point) + keys + values + b"\x28" + varint(4096))


tiles = {(z, x, y): gzip.compress(tile(z, x, y), mtime=0)
         for z in range(3) for x in range(1 << z) for y in range(1 << z) if (z, x, y) != (2, 3, 3)}
layers = [{"id": "tile", "description": "One point a tile", "minzoom": 0, "maxzoom": 2,
           "fields": {"zoom": "Number", "column": "Number", "row": "Number"}}]
description = {"name": "Vector", "attribution": "© <b>Test</b>", "vector_layers": layers}

with open(os.path.join(FOLDER, "vector.pmtiles"), "wb") as file:
    file.write(pmtiles.vector_archive(tiles, description))

# MBTiles: rows from the bottom, layers in one text of JSON.
path = os.path.join(FOLDER, "vector.mbtiles")
if os.path.exists(path):
    os.remove(path)
with sqlite3.connect(path) as database:
    database.execute("CREATE TABLE metadata (name TEXT, value TEXT)")
    database.execute("CREATE TABLE tiles (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_data BLOB)")
    texts = {"name": "Vector", "format": "pbf", "attribution": "© <b>Test</b>", "bounds": "-180,-85,180,85",
             "minzoom": "0", "maxzoom": "2", "json": json.dumps({"vector_layers": layers})}
    database.executemany("INSERT INTO metadata VALUES (?, ?)", texts.items())
    database.executemany("INSERT INTO tiles VALUES (?, ?, ?, ?)",
                         [(z, x, (1 << z) - 1 - y, data) for (z, x, y), data in tiles.items()])

# A folder of TMS: rows from the bottom, plain tiles.
for (z, x, y), content in tiles.items():
    place = os.path.join(FOLDER, "vector", str(z), str(x))
    os.makedirs(place, exist_ok=True)
    with open(os.path.join(place, f"{(1 << z) - 1 - y}.pbf"), "wb") as file:
        file.write(gzip.decompress(content))
with open(os.path.join(FOLDER, "vector", "metadata.json"), "w") as file:
    json.dump(description | {"scheme": "tms", "bounds": [-180, -85, 180, 85]}, file)

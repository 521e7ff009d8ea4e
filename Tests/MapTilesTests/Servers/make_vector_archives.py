"""Writes vector.pmtiles, vector.mbtiles and the folder vector, with the same vector tiles, into the folder Cases.

    python make_vector_archives.py

The tiles are those of zoom 0 to 2 except 2/3/3. Each has a layer `tile` with a point in its middle, whose values are
zoom, column and row.
"""

import gzip
import json
import os
import sqlite3
import struct

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../Cases")


def varint(value):
    out = bytearray()
    while value >= 128:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes(out) + bytes([value])


def data(field, content):
    return varint(field << 3 | 2) + varint(len(content)) + content


def tile(zoom, column, row):
    values = b"".join(data(4, b"\x28" + varint(number)) for number in (zoom, column, row))
    keys = b"".join(data(3, key) for key in (b"zoom", b"column", b"row"))
    point = data(2, bytes([0, 0, 1, 1, 2, 2])) + b"\x18\x01" + data(4, b"\x09" + varint(4096) * 2)
    return data(3, b"\x78\x02" + data(1, b"tile") + data(2, point) + keys + values + b"\x28" + varint(4096))


def hilbert(zoom, x, y):
    """The number of a tile in PMTiles."""
    number, half = ((1 << 2 * zoom) - 1) // 3, (1 << zoom) // 2
    while half:
        right, down = int(x & half > 0), int(y & half > 0)
        number += half * half * (3 * right ^ down)
        x, y = x & half - 1, y & half - 1
        if not down:
            if right:
                x, y = half - 1 - x, half - 1 - y
            x, y = y, x
        half //= 2
    return number


tiles = {(z, x, y): gzip.compress(tile(z, x, y), mtime=0)
         for z in range(3) for x in range(1 << z) for y in range(1 << z) if (z, x, y) != (2, 3, 3)}
layers = [{"id": "tile", "description": "One point a tile", "minzoom": 0, "maxzoom": 2,
           "fields": {"zoom": "Number", "column": "Number", "row": "Number"}}]
description = {"name": "Vector", "attribution": "© <b>Test</b>", "vector_layers": layers}

# PMTiles: a directory of three columns and offsets, all tiles in its order.
order = sorted(tiles, key=lambda place: hilbert(*place))
ids = [hilbert(*place) for place in order]
offset, offsets = 0, []
for place in order:
    offsets.append(offset)
    offset += len(tiles[place])
directory = varint(len(ids)) + b"".join(varint(b - a) for a, b in zip([0] + ids, ids)) + varint(1) * len(ids) \
    + b"".join(varint(len(tiles[place])) for place in order) + b"".join(varint(start + 1) for start in offsets)
root, metadata = gzip.compress(directory, mtime=0), gzip.compress(json.dumps(description).encode(), mtime=0)
parts, place = [], 127
for size in (len(root), len(metadata), 0, offset):
    parts += [place, size]
    place += size
head = b"PMTiles\x03" + struct.pack("<8Q3Q", *parts, len(ids), len(ids), len(ids)) + bytes([1, 2, 2, 1, 0, 2]) \
    + struct.pack("<4i", -1800000000, -850000000, 1800000000, 850000000) + b"\0" + struct.pack("<2i", 0, 0)
assert len(head) == 127
with open(os.path.join(FOLDER, "vector.pmtiles"), "wb") as file:
    file.write(head + root + metadata + b"".join(tiles[place] for place in order))

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

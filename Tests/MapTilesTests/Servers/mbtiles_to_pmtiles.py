"""Writes the tiles of an MBTiles file as a PMTiles archive.

    python mbtiles_to_pmtiles.py FROM.mbtiles TO.pmtiles ATTRIBUTION

Styles/data/helsinki.pmtiles was made so.
"""

import gzip
import json
import sqlite3
import struct
import sys


def varint(value):
    out = bytearray()
    while value >= 128:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes(out) + bytes([value])


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


source, target, attribution = sys.argv[1:]
database = sqlite3.connect(source)
texts = dict(database.execute("SELECT name, value FROM metadata"))
tiles = sorted(
    (hilbert(z, x, (1 << z) - 1 - y), z, gzip.compress(gzip.decompress(data), mtime=0))
    for z, x, y, data in database.execute("SELECT zoom_level, tile_column, tile_row, tile_data FROM tiles"))
ids, sizes = [item[0] for item in tiles], [len(item[2]) for item in tiles]
offsets = [sum(sizes[:index]) for index in range(len(sizes))]
directory = varint(len(ids)) + b"".join(varint(b - a) for a, b in zip([0] + ids, ids)) + varint(1) * len(ids) \
    + b"".join(map(varint, sizes)) + b"".join(varint(offset + 1) for offset in offsets)
description = {"name": texts["name"], "attribution": attribution, **json.loads(texts["json"])}
root, metadata = gzip.compress(directory, mtime=0), gzip.compress(json.dumps(description).encode(), mtime=0)
parts, place = [], 127
for size in (len(root), len(metadata), 0, sum(sizes)):
    parts += [place, size]
    place += size
zooms = [item[1] for item in tiles]
sides = [round(float(side) * 1e7) for side in texts["bounds"].split(",")]
center = [(sides[0] + sides[2]) // 2, (sides[1] + sides[3]) // 2]
head = b"PMTiles\x03" + struct.pack("<8Q3Q", *parts, len(ids), len(ids), len(ids)) \
    + bytes([1, 2, 2, 1, min(zooms), max(zooms)]) + struct.pack("<4i", *sides) + bytes([max(zooms)]) \
    + struct.pack("<2i", *center)
assert len(head) == 127
with open(target, "wb") as file:
    file.write(head + root + metadata + b"".join(item[2] for item in tiles))

"""Writes archives that loop, swell or lie, into the folder that is the argument."""

import gzip
import os
import sqlite3
import struct
import sys
import zlib

import pmtiles
from pmtiles import directory, varint

folder = sys.argv[1]


def png():
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", 64, 64, 8, 2, 0, 0, 0)
    data = zlib.compress((b"\0" + bytes([9, 8, 7]) * 64) * 64)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", data) + chunk(b"IEND", b"")


def archive(name, root, leaves, tiles, compression=1, tile_compression=1):
    with open(os.path.join(folder, name), "wb") as file:
        file.write(pmtiles.archive(root, b"{}", leaves, tiles, count=2, packing=(compression, tile_compression), kind=2,
                                   zooms=(0, 1)))


TILE = png()
SIZE = len(TILE)


def leaf(size):
    return directory((0, 1, SIZE, 0), (1, 0, size, 0))


# The leaf directory refers to itself for all tiles but the first.
loop = leaf(len(leaf(20)))
archive("loop.pmtiles", directory((0, 0, len(loop), 0)), loop, TILE)
archive("bomb.pmtiles", gzip.compress(bytes(100 << 20)), b"", TILE, compression=2)
swollen = gzip.compress(bytes(100 << 20))
packed = gzip.compress(TILE)
archive("swollen.pmtiles", directory((0, 1, len(packed), 0), (1, 1, len(swollen), len(packed))), b"",
        packed + swollen, tile_compression=2)
archive("far.pmtiles", directory((0, 1, SIZE, 0), (1, 1, SIZE, 1 << 60)), b"", TILE)
archive("long.pmtiles", directory((0, 1, SIZE, 0), (1, 1, 0xFFFFFFFF, 0)), b"", TILE)
archive("many.pmtiles", varint(1 << 62) + directory((0, 1, SIZE, 0)), b"", TILE)


def database(name, statements, tiles=()):
    connection = sqlite3.connect(os.path.join(folder, name))
    connection.executescript("CREATE TABLE metadata (name text, value text);" + statements)
    if tiles:
        connection.executemany("INSERT INTO tiles VALUES (?, ?, ?, ?)", tiles)
    connection.commit()
    connection.close()


TABLE = "CREATE TABLE tiles (zoom_level integer, tile_column integer, tile_row integer, tile_data blob);"
database("endless.mbtiles", "CREATE VIEW tiles AS WITH RECURSIVE t(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM t) "
         "SELECT 0 AS zoom_level, 0 AS tile_column, n AS tile_row, x'00' AS tile_data FROM t;")
database("large.mbtiles", TABLE, [(0, 0, 0, TILE), (1, 0, 1, bytes(100 << 20))])
database("cut.mbtiles", TABLE, [(1, n, n, TILE * 40) for n in range(200)])
path = os.path.join(folder, "cut.mbtiles")
os.truncate(path, os.path.getsize(path) // 2)

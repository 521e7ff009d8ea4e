"""Writes tiles whose colours are waves of their position: as a folder, an MBTiles file and a PMTiles archive.

Needs Pillow, numpy and pmtiles from PyPI.
"""
import io, os, sqlite3, sys
import numpy as np
from PIL import Image
from pmtiles.tile import zxy_to_tileid, TileType, Compression
from pmtiles.writer import Writer

def tile(z, x, y, size):
    n = 2 ** z * size
    px = (np.arange(size) + 0.5 + x * size) / n
    py = (np.arange(size) + 0.5 + y * size) / n
    u, v = np.meshgrid(px, py)
    image = np.zeros((size, size, 3), np.uint8)
    image[..., 0] = np.round(255 * (0.5 + 0.5 * np.sin(2 * np.pi * u * PERIODS)))
    image[..., 1] = np.round(255 * (0.5 + 0.5 * np.sin(2 * np.pi * v * PERIODS)))
    image[..., 2] = np.round(255 * (0.5 + 0.5 * np.sin(2 * np.pi * (u + v) * PERIODS / 3)))
    out = io.BytesIO()
    Image.fromarray(image).save(out, "PNG")
    return out.getvalue()

# Usage: make_tiles.py FOLDER LAST_ZOOM PERIODS TILE_SIZE
root, last, PERIODS, SIZE = sys.argv[1], *map(int, sys.argv[2:])
os.makedirs(root, exist_ok=True)
db = sqlite3.connect(root + "/sine.mbtiles")
db.executescript("CREATE TABLE metadata (name text, value text); CREATE TABLE tiles (zoom_level integer, tile_column integer, tile_row integer, tile_data blob); CREATE UNIQUE INDEX tile_index ON tiles (zoom_level, tile_column, tile_row);")
for name, value in [("name", "Sine"), ("format", "png"), ("minzoom", "0"), ("maxzoom", str(last)), ("attribution", "<a href='x'>&copy; Test</a>"), ("bounds", "-180,-85.0511,180,85.0511")]:
    db.execute("INSERT INTO metadata VALUES (?, ?)", (name, value))
with open(root + "/sine.pmtiles", "wb") as file:
    writer = Writer(file)
    tiles = sorted((zxy_to_tileid(z, x, y), z, x, y) for z in range(last + 1) for x in range(2 ** z) for y in range(2 ** z))
    for number, z, x, y in tiles:
        data = tile(z, x, y, SIZE)
        writer.write_tile(number, data)
        db.execute("INSERT INTO tiles VALUES (?, ?, ?, ?)", (z, x, 2 ** z - 1 - y, data))
        os.makedirs(f"{root}/sine/{z}/{x}", exist_ok=True)
        open(f"{root}/sine/{z}/{x}/{y}.png", "wb").write(data)
    writer.finalize({"tile_type": TileType.PNG, "tile_compression": Compression.NONE, "min_zoom": 0, "max_zoom": last,
        "min_lon_e7": -1800000000, "min_lat_e7": -850511287, "max_lon_e7": 1800000000, "max_lat_e7": 850511287,
        "center_zoom": 0, "center_lon_e7": 0, "center_lat_e7": 0}, {"name": "Sine", "attribution": "&copy; Test"})
db.commit()

"""Writes the tiles of an MBTiles file as a PMTiles archive.

    python mbtiles_to_pmtiles.py FROM.mbtiles TO.pmtiles ATTRIBUTION

Styles/tiles/helsinki.pmtiles was made so.
"""

import gzip
import json
import sqlite3
import sys

import pmtiles

source, target, attribution = sys.argv[1:]
database = sqlite3.connect(source)
texts = dict(database.execute("SELECT name, value FROM metadata"))
# Rows count from the bottom.
tiles = {(z, x, (1 << z) - 1 - y): gzip.compress(gzip.decompress(data), mtime=0) for z, x, y, data
         in database.execute("SELECT zoom_level, tile_column, tile_row, tile_data FROM tiles")}
description = {"name": texts["name"], "attribution": attribution, **json.loads(texts["json"])}
sides = [round(float(side) * 1e7) for side in texts["bounds"].split(",")]
with open(target, "wb") as file:
    file.write(pmtiles.vector_archive(tiles, description, sides=sides, zoom=max(place[0] for place in tiles)))

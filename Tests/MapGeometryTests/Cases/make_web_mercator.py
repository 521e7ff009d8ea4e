#!/usr/bin/env python3
"""Makes web_mercator.tsv beside it with PROJ: longitude, latitude, x, y of EPSG:4326 to EPSG:3857, shortest decimals.

Needs pyproj; the file committed was made with pyproj 3.7.2, PROJ 9.5.1.
"""
import random
from pathlib import Path

import pyproj

rng = random.Random(3857)
to_mercator = pyproj.Transformer.from_crs("EPSG:4326", "EPSG:3857", always_xy=True)
limit = 85.05112877980659
places = [(lon, lat) for lon in (-180, -90, 0, 13.4, 180) for lat in (-limit, -60, -1e-9, 0, 1e-300, 45, 52.52, 85, limit)]
places += [(rng.uniform(-180, 180), rng.uniform(-85.06, 85.06)) for _ in range(200)]
places += [(rng.uniform(-180, 180), rng.choice([-1, 1]) * rng.uniform(85, 89.9)) for _ in range(20)]
with open(Path(__file__).parent / "web_mercator.tsv", "w") as out:
    out.write(f"# pyproj {pyproj.__version__}, PROJ {pyproj.proj_version_str}\n")
    for lon, lat in places:
        x, y = to_mercator.transform(lon, lat)
        out.write("\t".join(repr(float(value)) for value in (lon, lat, x, y)) + "\n")

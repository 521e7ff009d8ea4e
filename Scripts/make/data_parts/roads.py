"""Makes Sources/Products/MapStateSamples/Resources/roads.geojson: fictitious roads around Daraa, Syria, for the CQL2 sample.

Usage: python3 Scripts/make/data_parts/roads.py. Uses only the standard library; every run gives the same bytes. None of the
roads exists: the lines are random streets in a town grid, tracks to the fields and trails beyond. F_CODE holds codes of
the Topographic Data Store for kinds of transport features, ZI001_SDV a source date as in such data. Both are random, and
some dates are missing.
"""
import json
import math
import pathlib
import random

rng = random.Random(20261121)
CENTER = (36.10, 32.62)
# Code, share, reach from the centre in metres, range of lengths in metres, change of heading per step in radians.
KINDS = [("AP030", 0.46, 2500, (150, 700), 0.08), ("AP010", 0.28, 9000, (300, 1800), 0.35),
         ("AP050", 0.14, 9000, (200, 1500), 0.6), ("AQ040", 0.05, 4000, (15, 60), 0.02),
         ("AQ140", 0.05, 2500, (40, 120), 0.5), ("AQ130", 0.02, 4000, (60, 200), 0.02)]
SECONDS = (1_262_304_000, 1_420_070_400)  # 2010 to 2015


def stamp(seconds):
    from datetime import datetime, timezone
    return datetime.fromtimestamp(seconds, timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def road(code, reach, lengths, crook):
    east, north = (rng.gauss(0, reach / 2) for _ in range(2))
    heading = rng.choice([0.3, 0.3 + math.pi / 2]) if code.startswith("AP03") else rng.uniform(0, 2 * math.pi)
    length, steps = rng.uniform(*lengths), rng.randint(2, 5)
    places = []
    for step in range(steps + 1):
        places.append((round(CENTER[0] + east / 93_700, 5), round(CENTER[1] + north / 110_900, 5)))
        heading += rng.gauss(0, crook)
        east += math.cos(heading) * length / steps
        north += math.sin(heading) * length / steps
    return places


def main():
    lines = []
    for number in range(1, 1301):
        code, _, reach, lengths, crook = rng.choices(KINDS, [kind[1] for kind in KINDS])[0]
        date = None if rng.random() < 0.06 else stamp(rng.randrange(*SECONDS) // 86_400 * 86_400)
        lines.append(json.dumps({
            "type": "Feature", "id": number, "properties": {"F_CODE": code, "ZI001_SDV": date},
            "geometry": {"type": "LineString", "coordinates": road(code, reach, lengths, crook)}},
            separators=(",", ":")))
    path = pathlib.Path(__file__).resolve().parents[3] / "Sources/Products/MapStateSamples/Resources/roads.geojson"
    path.write_text('{"type":"FeatureCollection","features":[\n' + ",\n".join(lines) + "\n]}\n")


main()

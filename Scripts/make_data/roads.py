"""Made-up roads around Daraa, Syria, for the sample that queries with CQL2: Sources/MapStateSamples/Resources/roads.geojson.

Usage: python3 Scripts/make_data/roads.py. Nothing but the standard library, the same bytes on every run. No road in it
exists: lines wander over a sketched grid of streets in town, tracks to the fields and trails beyond. F_CODE are codes of
the Topographic Data Store for the kinds of things that transport networks are made of, ZI001_SDV a source date as such
data carry it; both are drawn by lot, and some dates are missing.
"""
import json
import math
import pathlib
import random

rng = random.Random(20261121)
CENTER = (36.10, 32.62)
# Code, share, how far out, how long in metres, how crooked.
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
    path = pathlib.Path(__file__).resolve().parents[2] / "Sources/MapStateSamples/Resources/roads.geojson"
    path.write_text('{"type":"FeatureCollection","features":[\n' + ",\n".join(lines) + "\n]}\n")


main()

"""Makes world-rivers.csv: the world's larger rivers by rank, from Natural Earth 1:50m, generalised."""
import collections
import csv
import io

import shapely

from . import sources

LARGEST_RANK = 5  # ranks 0 to 5 of 0 to 6
# The distance of the Douglas-Peucker algorithm in degrees: a pixel of a map at 1:25,000,000 at the equator.
TOLERANCE = 0.06
# The distance of round bends from their chords in degrees: a quarter of this pixel.
SMOOTHNESS = 0.015


def write(folder):
    chains = collections.defaultdict(list)
    for rank, name, parts in sources.rivers():
        if rank <= LARGEST_RANK:
            # A river and its line through a lake are joined; some names in the source contain two spaces.
            chains[rank, " ".join(name.split())] += parts
    # Another chain may begin where a chain ends, and both must keep that vertex.
    ends = {place for parts in chains.values() for part in parts for place in (part[0], part[-1])}
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow(["NAME", "RANK", "WKT"])
    vertices = 0
    for (rank, name), parts in sorted(chains.items()):
        lines = shapely.line_merge(shapely.MultiLineString(parts))
        kept = [generalised(list(line.coords), ends) for line in getattr(lines, "geoms", [lines])]
        kept = sorted(line for line in kept if len(line) > 1)
        vertices += sum(map(len, kept))
        texts = ["(" + ",".join(f"{x:g} {y:g}" for x, y in line) + ")" for line in kept]
        table.writerow([name, rank, "LINESTRING" + texts[0] if len(texts) == 1
                        else f"MULTILINESTRING({','.join(texts)})"])
    path = folder / "world-rivers.csv"
    path.write_text(text.getvalue(), encoding="utf-8")
    print(f"wrote {path.name}: {len(chains):,} rows, {vertices:,} vertices, {path.stat().st_size:,} bytes")


def smooth(line):
    """Returns the line with its corners cut twice at a quarter of their sides; keeps its ends.

    Source: Chaikin, An algorithm for high-speed curve generation, 1974.
    """
    for _ in range(2):
        cut = [line[0]]
        for (x0, y0), (x1, y1) in zip(line, line[1:]):
            cut += [(0.75 * x0 + 0.25 * x1, 0.75 * y0 + 0.25 * y1), (0.25 * x0 + 0.75 * x1, 0.25 * y0 + 0.75 * y1)]
        line = [*cut, line[-1]]
    return list(shapely.LineString(line).simplify(SMOOTHNESS).coords)


def generalised(line, ends):
    """Returns the line with fewer vertices and round bends, rounded to 0.01 degrees (a kilometre); keeps its ends and junctions."""
    kept, start = [line[0]], 0
    for index in range(1, len(line)):
        if index < len(line) - 1 and line[index] not in ends:
            continue
        kept += smooth(list(shapely.LineString(line[start:index + 1]).simplify(TOLERANCE).coords))[1:]
        start = index
    rounded = []
    for x, y in kept:
        place = (round(x, 2), round(y, 2))
        if not rounded or rounded[-1] != place:
            rounded.append(place)
    return rounded

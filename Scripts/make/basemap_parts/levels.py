"""Makes the three levels: the content of each, and its amount of detail."""
import math
from dataclasses import dataclass

import shapely

from . import encoding, sources
from .generalisation import Network

# Mercator cannot show the pole. Antarctica's edge at the pole is drawn at this distance from the
# equator, in halves of the world square, so that no view extends below it.
SOUTH, DEPTH = -89, 3


@dataclass
class Level:
    """Settings of a level; areas are in km² in the unit of `effective_areas`."""
    name: str
    steps: int           # grid steps around the equator
    area: float          # vertices with a smaller area are dropped
    line_area: float     # the same limit for state lines
    smallest: float      # smaller islands and lakes are dropped
    lake_rank: int       # lakes up to this scale rank are kept
    country: float       # state lines are kept for countries above this area (square degrees)
    state_width: float   # and with states wider than this (degrees of latitude)
    river_ranks: tuple   # rivers up to these scale ranks are of class 0, 1 and 2; others are left out
    overlap: float       # overlap in degrees past 180: about three pixels at the level's smallest scale


LEVELS = [
    Level("world", 1 << 16, 80, 80, 300, 3, 1e9, 1e9, (1, 2, 3), 2.0),
    Level("continent", 1 << 17, 5, 6, 12, 5, 150, 1.2, (2, 4, 5), 1.0),
    Level("country", 1 << 18, 0.3, 0.6, 0.4, 12, 0, 0.22, (4, 6, 9), 0.25),
]


def write(folder):
    total = 0
    land, lakes = sources.land(), sources.lakes()
    borders, states, rivers = sources.borders(), sources.states(), sources.rivers()
    for level in LEVELS:
        print(level.name)
        data = encoding.level_bytes(level.steps, *layers(level, land, lakes, borders, states, rivers))
        (folder / f"{level.name}.nebm").write_bytes(data)
        total += len(data)
        print(f"  {len(data):,} bytes")
    print(f"{total:,} bytes in total")


def layers(level, land, lakes, borders, states, rivers):
    states = [s for s in states if s[0] >= level.country and s[1] >= level.state_width]
    land = [r for r in land if enlarged_area(r) >= level.smallest]
    lakes = [(rank, rings) for rank, rings in lakes
             if rank <= level.lake_rank and enlarged_area(rings[0]) >= level.smallest]
    shores = Network(land + [chain for _, chain in borders]).generalised(level.area)
    land, border_chains = shores[:len(land)], shores[len(land):]
    lake_rings = Network([r for _, rings in lakes for r in rings]).generalised(level.area)
    lake_rings = iter(lake_rings)
    # State lines touch borders and each other; adding the borders of the first network would change their junctions.
    state_chains = Network([s[2] for s in states]).generalised(level.line_area)

    rivers = [(next(n for n, last in enumerate(level.river_ranks) if rank <= last), chain)
              for rank, chain in rivers if rank <= level.river_ranks[-1]]
    river_chains = Network([chain for _, chain in rivers]).generalised(level.line_area)

    ground = whole(level, [ring(level, r) for r in land])
    lake_shapes = [polygon([ring(level, next(lake_rings)) for _ in rings]) for _, rings in lakes]
    overlap = round(level.overlap / 360 * level.steps)
    window = shapely.box(-level.steps // 2 - overlap, -DEPTH * level.steps // 2,
                         level.steps // 2 + overlap, DEPTH * level.steps // 2)
    # Lakes that touch, such as Saginaw Bay and Lake Huron, are joined, so that no shore divides them.
    water = shapely.union_all(lake_shapes)
    dry = Ground(ground, water)
    result = [
        ("land", [(ice(level, p), rings_of(p)) for p in pieces(ground, window)]),
        ("lakes", [(0, rings_of(p)) for p in polygons(water)]),
        ("rivers", lines(level, [(kind, c) for (kind, _), c in zip(rivers, river_chains)], dry)),
        ("states", lines(level, [(0 if s[0] >= 150 else 1, c) for s, c in zip(states, state_chains)], dry)),
        ("borders", lines(level, [(0 if agreed else 1, c) for (agreed, _), c in zip(borders, border_chains)], dry)),
    ]
    return [int(window.bounds[2]), int(-window.bounds[1])], [
        (name, ordered(rows)) for name, rows in result if rows]


def enlarged_area(ring):
    """Returns the area in km² in the unit of `effective_areas`."""
    return abs(sources.signed_area(ring)) * 111.32 ** 2


def mercator(level, places):
    """Converts degrees to grid steps; the pole is cut off."""
    half = level.steps // 2
    result = []
    for x, y in places:
        north = -DEPTH * half if y < SOUTH else math.asinh(math.tan(math.radians(y))) / math.pi * half
        east = half if x > 180 - 1e-6 else -half if x < -180 + 1e-6 else x / 180 * half
        result.append((round(east), round(north)))
    return result


def ring(level, places):
    """Returns a ring in grid steps, closed, without repeated vertices; empty when nothing is left."""
    line = distinct(mercator(level, places))
    return line if len(line) > 3 else []


def distinct(line):
    """Returns a line without vertices that repeat the previous one."""
    return [p for i, p in enumerate(line) if i == 0 or p != line[i - 1]]


def polygon(rings):
    """Converts rings to a valid area by the even-odd rule."""
    area = shapely.Polygon()
    for r in rings:
        if r:
            area = shapely.symmetric_difference(area, shapely.make_valid(shapely.Polygon(r)))
    return area


def polygons(shape):
    if shape.geom_type == "Polygon":
        return [] if shape.is_empty else [shape]
    return [p for g in getattr(shape, "geoms", []) for p in polygons(g)]


def whole(level, rings):
    """Returns land as areas in three adjacent world copies, joined where the source cuts it at 180 degrees."""
    outer = [r for r in rings if r]
    outer.sort(key=lambda r: -abs(sources.signed_area(r)))
    areas = [shapely.make_valid(shapely.Polygon(r)) for r in outer]
    tree = shapely.STRtree(areas)
    # A ring inside another is a hole (the Caspian Sea); a ring inside a hole is an island.
    holes, solid = {}, []
    for i, area in enumerate(areas):
        around = [int(j) for j in tree.query(area.representative_point(), predicate="within") if j < i]
        if len(around) % 2:
            holes.setdefault(max(around), []).append(i)
        else:
            solid.append(i)
    solid = [p for i in solid for p in polygons(shapely.difference(
        areas[i], shapely.union_all([areas[h] for h in holes[i]])) if i in holes else areas[i])]
    half = level.steps // 2
    cut = [a for a in solid if a.bounds[0] == -half or a.bounds[2] == half]
    free = [a for a in solid if not (a.bounds[0] == -half or a.bounds[2] == half)]
    joined = polygons(shapely.union_all([moved(a, k * level.steps) for a in cut for k in (-1, 0, 1)]))
    near = [moved(a, k * level.steps) for a in free for k in (-1, 1)]
    reach = half + level.steps // 16
    return free + [a for a in joined + near if a.bounds[0] < reach and a.bounds[2] > -reach]


def moved(shape, steps):
    return shapely.transform(shape, lambda xy: xy + [steps, 0])


def pieces(areas, window):
    found = []
    for area in areas:
        inside = area if window.contains(area) else shapely.intersection(area, window)
        found += [p for p in polygons(inside) if p.area >= 1]
    return found


def rings_of(area):
    """Returns the rings of an area in whole grid steps, without the closing vertex."""
    rings = []
    for r in [area.exterior, *area.interiors]:
        line = [(round(x), round(y)) for x, y in r.coords[:-1]]
        line = [p for i, p in enumerate(line) if p != line[i - 1]]
        if len(line) > 2:
            rings.append(line)
    return rings


def chains(shape):
    return [distinct([(round(x), round(y)) for x, y in line.coords])
            for line in getattr(shape, "geoms", [shape]) if line.geom_type == "LineString"]


class Ground:
    """Land without lakes, to which lines are cut."""

    # Lines reach this far beyond the shore in grid steps, because both are generalised.
    REACH = 1.5

    def __init__(self, areas, water):
        self.water, self.areas = water, areas
        self.tree = shapely.STRtree(areas)
        shapely.prepare(water)
        for area in areas:
            shapely.prepare(area)

    def cut(self, line):
        """Returns the parts of a line on land."""
        if shapely.intersects(self.water, line):
            line = shapely.difference(line, self.water)
        near = [self.areas[int(i)] for i in self.tree.query(line, predicate="intersects")]
        if line.is_empty or any(shapely.contains(area, line) for area in near):
            return line
        west, south, east, north = line.bounds
        box = (west - 9, south - 9, east + 9, north + 9)
        shore = shapely.union_all([shapely.clip_by_rect(area, *box) for area in near])
        return shapely.intersection(line, shapely.buffer(shore, self.REACH))


def lines(level, classed, ground):
    """Returns lines on land, joined within each class."""
    rows = []
    for kind in sorted({k for k, _ in classed}):
        parts = [distinct(mercator(level, c)) for k, c in classed if k == kind]
        parts = [shapely.LineString(c) for c in parts if len(c) > 1]
        parts = [ground.cut(p) for p in parts]
        merged = shapely.line_merge(shapely.MultiLineString(
            [line for p in parts for line in getattr(p, "geoms", [p]) if line.geom_type == "LineString" and line.length > 0]))
        rows += [(kind, [c]) for c in chains(merged) if len(c) > 1]
    return rows


def ice(level, area):
    """Returns 1 for Antarctica and Greenland's main island, 0 for other areas."""
    south = mercator(level, [(0, -60)])[0][1]
    greenland = mercator(level, [(-42, 72)])[0]
    return int(area.bounds[3] < south or area.contains(shapely.Point(greenland)))


def ordered(rows):
    """Sorts rows by class, then from west to east."""
    # Areas smaller than a grid step have no ring left.
    return sorted((r for r in rows if r[1]), key=lambda r: (r[0], min(min(p) for p in r[1])))

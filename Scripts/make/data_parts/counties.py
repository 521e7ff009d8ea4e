"""Makes us-counties.geojson and us-states.geojson: Census counties, generalised on shared arcs."""
import math

import shapely

from . import sources
from .topology import KILOMETERS_PER_DEGREE, Topology, effective_areas

# In km²: vertices with a smaller triangle are dropped. The value sets the size of the file.
SMALLEST_TRIANGLE = 2.0
# In km²: smaller islands are dropped, unless they are their county's largest part.
SMALLEST_ISLAND = 3.0
DECIMALS = 4  # 11 m


class Generaliser:
    """Chooses the vertices of every arc until no arc meets another between its ends.

    Positions are rounded by vertex, not by arc, so that arcs that meet still meet. Where the
    grid is too coarse (borders a few metres apart), vertices get two more decimals.
    """

    def __init__(self, topology):
        self.topology = topology
        self.areas = [effective_areas([topology.vertices[v] for v in arc]) for arc in topology.arcs]
        self.limits = [SMALLEST_TRIANGLE] * len(topology.arcs)
        self.precise = set()
        self.retries = 0
        self._choose()

    def place(self, vertex):
        x, y = self.topology.vertices[vertex]
        decimals = DECIMALS + 2 if vertex in self.precise else DECIMALS
        return (round(x, decimals), round(y, decimals))

    def _choose(self):
        self.chosen = []
        for arc, areas, limit in zip(self.topology.arcs, self.areas, self.limits):
            kept = [self.place(v) for v, area in zip(arc, areas) if area >= limit]
            line = kept[:1] + [q for p, q in zip(kept, kept[1:]) if p != q]
            self.chosen.append(line if len(line) > 1 else line * 2)

    def refine(self, arcs):
        """Quarters the area limit of some arcs, which halves the tolerance in each direction.

        From the third time on, the vertices of an arc also get a finer grid.
        """
        for arc in arcs:
            self.limits[arc] /= 4
            if self.limits[arc] < SMALLEST_TRIANGLE / 50:
                self.precise.update(self.topology.arcs[arc])
        self.retries += len(arcs)
        self._choose()

    def faults(self, rings):
        """Returns the arcs of rings with fewer than three corners, and arcs that are not simple or cross another."""
        bad = set()
        for uses in rings:
            if len(set(self.topology.ring_vertices(uses, self.chosen))) < 3:
                bad.update(arc for arc, _ in uses)
        used = sorted({arc for uses in rings for arc, _ in uses} - bad)
        drawn = [shapely.LineString(self.chosen[arc]) for arc in used]
        bad.update(arc for arc, line in zip(used, drawn) if not line.is_simple)
        tree = shapely.STRtree(drawn)
        for a, b in zip(*tree.query(drawn, predicate="intersects")):
            if a >= b:
                continue
            ends = [{self.chosen[used[i]][0], self.chosen[used[i]][-1]} for i in (a, b)]
            meeting = shapely.intersection(drawn[a], drawn[b])
            places = {tuple(p) for p in shapely.get_coordinates(meeting)}
            if meeting.geom_type not in ("Point", "MultiPoint") or not places <= ends[0] & ends[1]:
                bad.update((used[a], used[b]))
        return bad


def kept_rings(topology, feature_count):
    """Returns each feature's rings as arc uses, without small islands and lakes, and the number of dropped rings."""
    by_feature = [[] for _ in range(feature_count)]
    for feature, uses in topology.rings:
        ring = [topology.vertices[v] for v in topology.ring_vertices(uses, topology.arcs)]
        by_feature[feature].append((square_kilometers(ring), uses))
    dropped, kept = 0, []
    for rings in by_feature:
        largest = min(area for area, _ in rings)  # outer rings of a shapefile are clockwise
        stay = []
        for area, uses in rings:
            alone = all(topology.use_count[arc] == 1 for arc, _ in uses)
            if alone and abs(area) < SMALLEST_ISLAND and area != largest:
                dropped += 1
            else:
                stay.append(uses)
        kept.append(stay)
    return kept, dropped


def square_kilometers(ring):
    """Returns the approximate signed area of a ring; counter-clockwise is positive."""
    scale = math.cos(math.radians(ring[0][1])) * KILOMETERS_PER_DEGREE ** 2
    x, y = ring[0]  # an origin near the ring, to reduce rounding errors
    return sources.signed_area([(a - x, b - y) for a, b in ring]) / 2 * scale


def polygons(rings):
    """Converts rings of a shapefile (outer ones clockwise) to GeoJSON polygons (outer ones counter-clockwise)."""
    rings = [[*r[::-1], r[-1]] for r in rings]
    outer = [r for r in rings if sources.signed_area(r[:-1]) > 0]
    holes = [r for r in rings if sources.signed_area(r[:-1]) <= 0]
    found = [[r] for r in outer]
    areas = [shapely.Polygon(r) for r in outer]
    for hole in holes:
        inside = shapely.Polygon(hole).representative_point()
        homes = [i for i, area in enumerate(areas) if area.contains(inside)]
        found[min(homes, key=lambda i: areas[i].area)].append(hole)
    return found


def geometry(parts):
    if len(parts) == 1:
        return {"type": "Polygon", "coordinates": parts[0]}
    return {"type": "MultiPolygon", "coordinates": parts}


def oriented(shape):
    """Converts a shapely polygon or multipolygon to GeoJSON parts, with rings oriented as RFC 7946 requires."""
    parts = []
    for polygon in getattr(shape, "geoms", [shape]):
        turned = shapely.geometry.polygon.orient(polygon)
        parts.append([[list(p) for p in ring.coords]
                      for ring in (turned.exterior, *turned.interiors)])
    return sorted(parts, key=lambda part: (-len(part[0]), part[0]))


def write(folder):
    counties, states = sources.county_shapes(), sources.state_names()
    rates = sources.unemployment_rates()
    topology = Topology([rings for _, rings in counties])
    rings, dropped = kept_rings(topology, len(counties))
    generaliser = Generaliser(topology)
    every_ring = [uses for feature in rings for uses in feature]
    while bad := generaliser.faults(every_ring):
        generaliser.refine(bad)
    shared = sum(count == 2 for count in topology.use_count)
    print(f"counties: {len(topology.vertices):,} vertices, {len(topology.arcs):,} arcs, "
          f"{shared:,} of them shared; {dropped:,} small islands and lakes dropped, "
          f"{generaliser.retries:,} arcs refined")
    features, by_state = [], {}
    for (record, _), uses in zip(counties, rings):
        parts = polygons([topology.ring_vertices(u, generaliser.chosen) for u in uses])
        name, abbreviation = states[record["STATEFP"]]
        shape = geometry(parts)
        by_state.setdefault(record["STATEFP"], []).append(shapely.geometry.shape(shape))
        features.append({"type": "Feature", "properties": {
            "GEOID": record["GEOID"], "NAME": record["NAME"], "STATE_NAME": name,
            "STATE": abbreviation, "unemployment_rate": rates.get(record["GEOID"])},
            "geometry": shape})
    sources.write_features(folder / "us-counties.geojson", features)
    outlines = []
    for code, shapes in sorted(by_state.items()):
        whole = shapely.union_all(shapes, grid_size=None)
        outlines.append({"type": "Feature", "properties": {
            "STATEFP": code, "NAME": states[code][0], "STATE": states[code][1]},
            "geometry": geometry(oriented(whole))})
    sources.write_features(folder / "us-states.geojson", outlines)

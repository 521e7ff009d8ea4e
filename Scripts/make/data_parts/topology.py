"""Splits polygons into arcs that neighbours share, so that a shared border is generalised once.

Arcs run between junctions: vertices at which the set of passing rings changes. The
method is that of TopoJSON. Vertices are dropped by effective area (Visvalingam and
Whyatt 1993, "Line generalisation by repeated elimination of points").
"""
import heapq
import math

KILOMETERS_PER_DEGREE = 111.32  # of latitude; for longitude, times cos(latitude)


class Topology:
    """Arcs and the rings made of them: `arcs` holds vertices, `rings[i]` is (feature, [(arc, reversed)])."""

    def __init__(self, features):
        """Builds the arcs; `features` has for each feature a list of rings without their closing vertex."""
        numbers, self.vertices = {}, []
        rings = []
        for feature, parts in enumerate(features):
            for part in parts:
                ring = []
                for x, y in part:
                    # 1e-6 degrees, the precision of the source: joins vertices that differ by rounding only.
                    key = (round(x * 1e6), round(y * 1e6))
                    if key not in numbers:
                        numbers[key] = len(self.vertices)
                        self.vertices.append((x, y))
                    if not ring or ring[-1] != numbers[key]:
                        ring.append(numbers[key])
                rings.append((feature, ring))
        junctions = self._junctions(rings)
        known, self.arcs, self.rings = {}, [], []
        for feature, ring in rings:
            uses = []
            for arc in cut(ring, junctions):
                backwards = arc[::-1]
                flipped = backwards < arc
                key = tuple(backwards if flipped else arc)
                if key not in known:
                    known[key] = len(self.arcs)
                    self.arcs.append(list(key))
                uses.append((known[key], flipped))
            self.rings.append((feature, uses))
        self.use_count = [0] * len(self.arcs)
        for _, uses in self.rings:
            for arc, _ in uses:
                self.use_count[arc] += 1

    @staticmethod
    def _junctions(rings):
        neighbours, junctions = {}, set()
        for _, ring in rings:
            for before, vertex, after in zip(ring[-1:] + ring[:-1], ring, ring[1:] + ring[:1]):
                pair = (before, after) if before < after else (after, before)
                if neighbours.setdefault(vertex, pair) != pair:
                    junctions.add(vertex)
        return junctions

    def ring_vertices(self, uses, chosen):
        """Returns the ring made of the arcs `chosen[arc]`, without the closing vertex."""
        ring = []
        for arc, flipped in uses:
            line = chosen[arc][::-1] if flipped else chosen[arc]
            ring += line[:-1]
        return ring


def cut(ring, junctions):
    """Returns the arcs of a ring, each with both ends; a ring without a junction is one closed arc."""
    places = [i for i, v in enumerate(ring) if v in junctions]
    if not places:
        start = ring.index(min(ring))
        return [ring[start:] + ring[:start + 1]]
    doubled = ring + ring
    return [doubled[a:b + 1] for a, b in zip(places, places[1:] + [places[0] + len(ring)])]


def effective_areas(line):
    """Returns for every vertex the area in km² below which it is dropped; infinite at both ends."""
    count = len(line)
    areas = [math.inf] * count
    if count < 3:
        return areas
    scale = math.cos(math.radians(line[0][1])) * KILOMETERS_PER_DEGREE ** 2 / 2
    before, after = list(range(-1, count - 1)), list(range(1, count + 1))

    def triangle(i):
        (ax, ay), (bx, by), (cx, cy) = line[before[i]], line[i], line[after[i]]
        return abs((bx - ax) * (cy - ay) - (cx - ax) * (by - ay)) * scale

    current = [math.inf] + [triangle(i) for i in range(1, count - 1)] + [math.inf]
    heap = [(current[i], i) for i in range(1, count - 1)]
    heapq.heapify(heap)
    gone, largest = [False] * count, 0.0
    while heap:
        area, i = heapq.heappop(heap)
        if gone[i] or area != current[i]:
            continue
        gone[i] = True
        largest = max(largest, area)
        areas[i] = largest
        a, b = before[i], after[i]
        after[a], before[b] = b, a
        for j in (a, b):
            if 0 < j < count - 1:
                current[j] = triangle(j)
                heapq.heappush(heap, (current[j], j))
    return areas

"""Generalises lines and rings that share vertices, once where they run together.

Chains are cut at junctions as in TopoJSON: vertices at which the set of passing chains changes.
Vertices are dropped by effective area (Visvalingam and Whyatt 1993, "Line generalisation by repeated
elimination of points").
"""
import heapq
import math

KILOMETERS_PER_DEGREE = 111.32


class Network:
    """Chains of vertices in degrees; a ring repeats its first vertex at the end."""

    def __init__(self, chains):
        numbers, self.vertices, self.chains = {}, [], []
        for chain in chains:
            line = []
            for x, y in chain:
                # 1e-6 degrees, the precision of the source: joins vertices that differ by rounding only.
                key = (round(x * 1e6), round(y * 1e6))
                if key not in numbers:
                    numbers[key] = len(self.vertices)
                    self.vertices.append((x, y))
                if not line or line[-1] != numbers[key]:
                    line.append(numbers[key])
            self.chains.append(line)

    def _junctions(self):
        neighbours, junctions = {}, set()

        def meet(before, vertex, after):
            pair = (before, after) if before < after else (after, before)
            if neighbours.setdefault(vertex, pair) != pair:
                junctions.add(vertex)

        for line in self.chains:
            closed = len(line) > 2 and line[0] == line[-1]
            for before, vertex, after in zip(line, line[1:], line[2:]):
                meet(before, vertex, after)
            if closed:
                meet(line[-2], line[0], line[1])
            else:
                junctions.update((line[0], line[-1]))
        # The cut at 180 degrees is kept, so that both sides fit.
        junctions.update(i for i, (x, _) in enumerate(self.vertices) if abs(x) > 180 - 1e-6)
        return junctions

    def generalised(self, area):
        """Returns the chains in degrees, without vertices whose effective area in km² is below `area`."""
        junctions, known, result = self._junctions(), {}, []
        for line in self.chains:
            kept = []
            for arc in cut(line, junctions):
                backwards = arc[::-1]
                flipped = backwards < arc
                key = tuple(backwards if flipped else arc)
                if key not in known:
                    places = [self.vertices[i] for i in key]
                    areas = effective_areas(places)
                    known[key] = [i for i, a in zip(key, areas) if a >= area]
                chosen = known[key][::-1] if flipped else known[key]
                kept += chosen[1:] if kept else chosen
            result.append([self.vertices[i] for i in kept])
        return result


def cut(line, junctions):
    """Returns the arcs of a chain, each with both ends; a ring without a junction is one closed arc."""
    places = [i for i, v in enumerate(line) if v in junctions]
    if len(line) > 2 and line[0] == line[-1]:
        ring = line[:-1]
        places = [i for i in places if i < len(ring)]
        if not places:
            start = ring.index(min(ring))
            return [ring[start:] + ring[:start + 1]]
        doubled = ring + ring
        return [doubled[a:b + 1] for a, b in zip(places, places[1:] + [places[0] + len(ring)])]
    return [line[a:b + 1] for a, b in zip(places, places[1:])]


def effective_areas(line):
    """Returns for every vertex the area below which it is dropped; infinite at both ends.

    The unit is square kilometres on the ground, enlarged by 1 / cos(latitude). This is between the
    area on the ground and on the map: the far north keeps more detail than on the ground, but less
    than Mercator shows.
    """
    count = len(line)
    areas = [math.inf] * count
    if count < 3:
        return areas
    before, after = list(range(-1, count - 1)), list(range(1, count + 1))
    scale = KILOMETERS_PER_DEGREE ** 2 / 2

    def triangle(i):
        (ax, ay), (bx, by), (cx, cy) = line[before[i]], line[i], line[after[i]]
        # A degree of longitude has the length cos(latitude), which the enlargement cancels.
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

"""Whether geometries meet, exactly: signs come from doubles where those decide, else from fractions."""

from fractions import Fraction


def side(a, b, c):
    """1 where c lies left of the line from a to b, -1 right of it, 0 on it."""
    left, right = (b[0] - a[0]) * (c[1] - a[1]), (b[1] - a[1]) * (c[0] - a[0])
    value = left - right
    # Shewchuk's bound for the rounding of the sum of two products.
    if abs(value) <= 4e-16 * (abs(left) + abs(right)):
        ax, ay, bx, by, cx, cy = (Fraction(number) for place in (a, b, c) for number in place)
        value = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
    return (value > 0) - (value < 0)


def within_box(a, b, c):
    return min(a[0], b[0]) <= c[0] <= max(a[0], b[0]) and min(a[1], b[1]) <= c[1] <= max(a[1], b[1])


def segments_meet(a, b, c, d):
    if max(a[0], b[0]) < min(c[0], d[0]) or max(c[0], d[0]) < min(a[0], b[0]):
        return False
    if max(a[1], b[1]) < min(c[1], d[1]) or max(c[1], d[1]) < min(a[1], b[1]):
        return False
    s1, s2, s3, s4 = side(a, b, c), side(a, b, d), side(c, d, a), side(c, d, b)
    if s1 * s2 < 0 and s3 * s4 < 0:
        return True
    return (
        (s1 == 0 and within_box(a, b, c)) or (s2 == 0 and within_box(a, b, d))
        or (s3 == 0 and within_box(c, d, a)) or (s4 == 0 and within_box(c, d, b))
    )


def place_in_rings(place, rings):
    """1 inside, 0 on the boundary, -1 outside, by the even-odd rule."""
    inside = False
    for ring in rings:
        for a, b in zip(ring, ring[1:]):
            if within_box(a, b, place) and side(a, b, place) == 0:
                return 0
            if (a[1] > place[1]) != (b[1] > place[1]):
                turn = side(a, b, place)
                if (turn > 0) == (b[1] > a[1]):
                    inside = not inside
    return 1 if inside else -1


class Shape:
    """A geometry as places, chains of segments, and rings."""

    def __init__(self, kind, parts):
        self.kind, self.parts = kind, parts
        self.places = [place for part in parts for place in part]
        self.box = None
        if self.places:
            xs, ys = [x for x, _ in self.places], [y for _, y in self.places]
            self.box = min(xs), min(ys), max(xs), max(ys)

    @property
    def segments(self):
        if self.kind in ("Point", "Multipoint"):
            return
        for part in self.parts:
            yield from zip(part, part[1:])


def envelope(xmin, ymin, xmax, ymax):
    ring = [(xmin, ymin), (xmin, ymax), (xmax, ymax), (xmax, ymin), (xmin, ymin)]
    if xmin == xmax and ymin == ymax:
        return Shape("Point", [[(xmin, ymin)]])
    if xmin == xmax or ymin == ymax:
        return Shape("Polyline", [[(xmin, ymin), (xmax, ymax)]])
    return Shape("Polygon", [ring])


def boxes_meet(a, b):
    return bool(a and b) and a[0] <= b[2] and b[0] <= a[2] and a[1] <= b[3] and b[1] <= a[3]


def meet(first, second):
    """True when two shapes share a place."""
    if not boxes_meet(first.box, second.box):
        return False
    for one, other in ((first, second), (second, first)):
        if other.kind == "Polygon" and any(place_in_rings(part[0], other.parts) >= 0 for part in one.parts):
            return True
        if one.kind in ("Point", "Multipoint"):
            for place in one.places:
                if other.kind == "Polygon" and place_in_rings(place, other.parts) >= 0:
                    return True
                if place in other.places:
                    return True
                if any(within_box(a, b, place) and side(a, b, place) == 0 for a, b in other.segments):
                    return True
    box = second.box
    near = [s for s in first.segments if boxes_meet(segment_box(s), box)]
    box = first.box
    return any(
        segments_meet(a, b, c, d) for c, d in second.segments if boxes_meet(segment_box((c, d)), box) for a, b in near
    )


def segment_box(segment):
    (ax, ay), (bx, by) = segment
    return min(ax, bx), min(ay, by), max(ax, bx), max(ay, by)


def related(relation, query, feature):
    """Whether the query geometry lies to a feature as asked; None for a relation that this server does not have."""
    if relation == "Intersects":
        return meet(query, feature)
    if relation in ("EnvelopeIntersects", "IndexIntersects"):
        return boxes_meet(query.box, feature.box)
    if relation == "Contains" and feature.kind == "Point" and query.kind == "Polygon":
        return bool(feature.places) and place_in_rings(feature.places[0], query.parts) > 0
    if relation == "Within" and feature.kind == "Polygon" and query.kind == "Point":
        return bool(feature.places) and place_in_rings(query.places[0], feature.parts) > 0
    return None

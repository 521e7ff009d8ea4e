"""Finds positions for the names of countries, each with the smallest scale at which the country is wider than its name."""
import math

import numpy
import shapely

RADIUS = 6378137.0
# Metres of the map for one pixel at 1:1.
PIXEL = 1 / (96 * 39.37)
# A name of the smallest size: pixels for each letter of its longest line, and half the height of each line, so that
# the ends of a name may touch a slanted border.
LETTER, HALF_LINE = 7.2, 7.0
# The number of positions tested along each axis of a part, and the number that is kept.
STEPS, KEPT = 24, 8
# A part of a country has positions if its area is this share of the largest one, such as Alaska's.
LEAST_PART = 0.165
# A further position fits this share of the scale of the best one, and is this share of the part's size away.
LEAST_SHARE, APART = 0.2, 0.15


def mercator(points):
    x, y = numpy.asarray(points, dtype=float).T
    y = numpy.clip(y, -84.5, 84.5)
    return numpy.column_stack((RADIUS * numpy.radians(x), RADIUS * numpy.arcsinh(numpy.tan(numpy.radians(y)))))


def degrees(x, y):
    return math.degrees(x / RADIUS), math.degrees(math.atan(math.sinh(y / RADIUS)))


def area_of(rings):
    """Returns the rings of a country as an area in Web Mercator."""
    outer, holes = [], []
    for ring in rings:
        polygon = shapely.Polygon(mercator(ring)).simplify(2000)
        (holes if shapely.is_ccw(shapely.linearrings(mercator(ring))) else outer).append(shapely.make_valid(polygon))
    return shapely.make_valid(shapely.union_all(outer).difference(shapely.union_all(holes)))


def largest_scale(area, x, y, name):
    """Returns, for centres of a name, the denominators of the smallest scales at which it lies inside an area."""
    lines = name.split("|")
    half_width, half_height = LETTER * max(map(len, lines)) / 2, HALF_LINE * len(lines) / 2
    low, high = numpy.full(len(x), 1e5), numpy.full(len(x), 1e9)
    for _ in range(20):
        scale = numpy.sqrt(low * high)
        width, height = half_width * scale * PIXEL, half_height * scale * PIXEL
        fits = shapely.contains_properly(area, shapely.box(x - width, y - height, x + width, y + height))
        low, high = numpy.where(fits, scale, low), numpy.where(fits, high, scale)
    return low


def positions(rings, name, preferred):
    """Returns (thousands, longitude, latitude) of positions of a name: the preferred one, then the best of each part, then
    the others, best first."""
    area = area_of(rings)
    parts = shapely.get_parts(area)
    sizes = [p.area / math.cosh(p.centroid.y / RADIUS) ** 2 for p in parts]
    parts = [p for p, size in zip(parts, sizes) if size >= LEAST_PART * max(sizes)]
    grids, owners = [], [numpy.array([-1])]
    for number, part in enumerate(parts):
        left, bottom, right, top = part.bounds
        steps = (numpy.arange(STEPS) + 0.5) / STEPS
        x, y = numpy.meshgrid(left + steps * (right - left), bottom + steps * (top - bottom))
        grids.append(numpy.column_stack((x.ravel(), y.ravel())))
        owners.append(numpy.full(x.size, number))
    shapely.prepare(area)
    x, y = numpy.concatenate([mercator([preferred]), *grids]).T
    inside = shapely.contains_xy(area, x, y)
    inside[0] = True
    x, y, owners = x[inside], y[inside], numpy.concatenate(owners)[inside]
    scales = largest_scale(area, x, y, name)
    apart = APART * max(math.sqrt(p.area) for p in parts)
    kept = [0]
    order = numpy.argsort(-scales, kind="stable")
    # Each part has a position if the name fits, so that a view of it alone has the name.
    best = [own[0] for number in range(len(parts)) if (own := order[owners[order] == number]).size]
    for index in [*best, *order]:
        far = all(math.hypot(x[index] - x[k], y[index] - y[k]) >= apart for k in kept)
        if len(kept) < KEPT and far and scales[index] >= LEAST_SHARE * scales.max():
            kept.append(int(index))
    return [(int(scales[k] / 1000), *degrees(x[k], y[k])) for k in kept]

#!/usr/bin/env python3
"""Makes orientation.tsv and meets.tsv beside it: answers in exact rationals, by other methods than the Swift code.

Numbers are written as hexadecimal floats, so that every bit arrives. Seeded: the same files on every run.
web_mercator.tsv is made by make_web_mercator.py.
"""
import math
import random
from fractions import Fraction
from pathlib import Path

here = Path(__file__).parent
rng = random.Random(20240607)


def nudge(value, steps):
    for _ in range(abs(steps)):
        value = math.nextafter(value, math.inf if steps > 0 else -math.inf)
    return value


def short(value):
    """Hexadecimal without trailing zeros."""
    if abs(value) < 1e6 and value == int(value):
        return str(int(value))
    head, exponent = value.hex().split("p")
    if "." in head:
        head = head.rstrip("0").rstrip(".")
    return head + "p" + exponent


# Orientation: sign of a determinant in rationals.

def orientation(ax, ay, bx, by, cx, cy):
    ax, ay, bx, by, cx, cy = map(Fraction, (ax, ay, bx, by, cx, cy))
    value = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
    return (value > 0) - (value < 0)


def orientation_cases():
    for _ in range(1200):  # nearly on a line, at many scales
        scale = 2.0 ** rng.choice([-40, -3, 0, 0, 0, 7, 20, 24])
        shift = rng.choice([0, 0, 1, 12, 1e6]) * scale
        ax, ay, bx, by = (shift + scale * rng.uniform(-1, 1) for _ in range(4))
        t = rng.choice([0.5, 0.25, rng.uniform(-1, 2), 2, -7])
        cx, cy = ax + t * (bx - ax), ay + t * (by - ay)
        yield ax, ay, bx, by, nudge(cx, rng.randint(-2, 2)), nudge(cy, rng.randint(-2, 2))
    for i in range(16):  # the grid of figure 2 in Kettner et al., "Classroom examples of robustness problems"
        for j in range(16):
            yield 12.0, 12.0, 24.0, 24.0, nudge(0.5, i * 16), nudge(0.5, j * 16)
    for _ in range(300):  # small whole numbers: many exact zeros
        yield tuple(float(rng.randint(-3, 3)) for _ in range(6))
    for _ in range(300):  # on a line, and one step off it, in dyadic numbers
        unit = 2.0 ** rng.randint(-60, 20)
        x, y, dx, dy = (float(rng.randint(-4000, 4000)) for _ in range(4))
        i, j, k = (rng.randint(-9, 9) for _ in range(3))
        case = [x + i * dx, y + i * dy, x + j * dx, y + j * dy, x + k * dx, y + k * dy]
        case = [unit * value for value in case]
        case[5] = nudge(case[5], rng.choice([0, 0, 1, -1]))
        yield tuple(case)
    tiny, huge = 5e-324, 1.7976931348623157e308
    for _ in range(500):  # what under- or overflows
        values = []
        for _ in range(6):
            kind = rng.randint(0, 4)
            magnitude = [tiny * rng.randint(0, 4), huge, rng.uniform(0, 1) * 1e-200, rng.uniform(0, 1) * 1e200,
                         rng.randint(0, 2) * 1e-160][kind]
            values.append(magnitude * rng.choice([-1, 1]))
        yield tuple(values)
    found = 0
    while found < 30:  # where a filter with a relative bound alone errs: products round among subnormal numbers
        scale = 2.0 ** rng.randint(-522, -508)
        cx, cy, dx, dy = (scale * rng.uniform(-1, 1) for _ in range(4))
        times = rng.choice([0.5, 1, 2, 3])
        case = (cx + dx, cy + dy, cx - times * dx, cy - times * dy, cx, cy)
        left, right = (case[0] - cx) * (case[3] - cy), (case[1] - cy) * (case[2] - cx)
        guess, bound = left - right, 3.3306690738754716e-16 * (abs(left) + abs(right))
        if abs(guess) > bound and (guess > 0) - (guess < 0) != orientation(*case):
            found += 1
            yield case
    for _ in range(200):  # the same magnitude throughout, far out
        scale = rng.choice([1e-310, 1e-170, 1e160, 1e307])
        ax, ay, bx, by = (scale * rng.uniform(-1, 1) for _ in range(4))
        yield ax, ay, bx, by, nudge(ax / 2 + bx / 2, rng.randint(-1, 1)), ay / 2 + by / 2


# Envelopes: a segment's parameters clipped in rationals; a polygon's inside from the envelope's middle, by a ray north.

def segment_meets(a, b, env):
    low, high = Fraction(0), Fraction(1)
    for axis in (0, 1):
        start, delta = Fraction(a[axis]), Fraction(b[axis]) - Fraction(a[axis])
        for bound, sign in ((env[axis], 1), (env[axis + 2], -1)):
            # sign * (start + t * delta - bound) >= 0
            p, q = sign * delta, sign * (Fraction(bound) - start)
            if p == 0:
                if q > 0:
                    return False
            elif p > 0:
                low = max(low, q / p)
            else:
                high = min(high, q / p)
    return low <= high


def inside(place, rings):
    px, py = place
    odd = False
    for ring in rings:
        for (ax, ay), (bx, by) in zip(ring, ring[1:]):
            ax, ay, bx, by = map(Fraction, (ax, ay, bx, by))
            if (ax <= px) != (bx <= px) and ay + (px - ax) * (by - ay) / (bx - ax) > py:
                odd = not odd
    return odd


def meets(kind, parts, env):
    if env[0] > env[2] or env[1] > env[3]:
        return False
    if kind in ("point", "multipoint"):
        return any(env[0] <= x <= env[2] and env[1] <= y <= env[3] for part in parts for x, y in part)
    for part in parts:
        chain = part if len(part) > 1 else part * 2
        if any(segment_meets(a, b, env) for a, b in zip(chain, chain[1:])):
            return True
    if kind == "polyline":
        return False
    middle = ((Fraction(env[0]) + Fraction(env[2])) / 2, (Fraction(env[1]) + Fraction(env[3])) / 2)
    return inside(middle, parts)


def ring(points):
    return points + points[:1]


def random_part(kind, draw):
    count = {"multipoint": rng.randint(1, 3), "polyline": rng.randint(1, 4), "polygon": rng.randint(1, 6)}[kind]
    points = [(draw(), draw()) for _ in range(count)]
    return ring(points) if kind == "polygon" else points


def meets_cases():
    kinds = ["point", "multipoint", "polyline", "polyline", "polygon", "polygon", "polygon"]
    for index in range(2400):
        kind = rng.choice(kinds)
        if index % 3 == 0:  # small whole numbers: touching everywhere
            draw = lambda: float(rng.randint(0, 6))
        elif index % 3 == 1:
            draw = lambda: rng.choice([rng.uniform(0, 6), float(rng.randint(0, 6)), nudge(3.0, rng.randint(-1, 1))])
        else:
            draw = lambda: rng.choice([0.1, 0.2, 0.3, 0.7, 1 / 3, 1e16, -1e16, 5e-324, 0.0]) * rng.choice([1, 3, 7])
        parts = [[(draw(), draw())]] if kind == "point" else [
            random_part(kind, draw) for _ in range(rng.choice([1, 1, 2, 3]))]
        x, y = sorted((draw(), draw())), sorted((draw(), draw()))
        if index % 5 == 0:
            x[1] = x[0]
        if index % 7 == 0:
            y[1] = y[0]
        if index % 101 == 0:
            x.reverse()
        yield kind, parts, (x[0], y[0], x[1], y[1])
    for index in range(1200):  # a segment past a corner, by no more than rounding
        scale = 2.0 ** rng.choice([-30, 0, 0, 10, 24])
        env = [scale * rng.uniform(1, 2), scale * rng.uniform(1, 2)]
        env += [env[0] + scale * rng.uniform(0, 1), env[1] + scale * rng.uniform(0, 1)]
        corner = (env[rng.choice([0, 2])], env[rng.choice([1, 3])])
        dx, dy = rng.uniform(-1, 1) * scale, rng.uniform(-1, 1) * scale
        s, t = rng.choice([1, 1, 0.5, 3]), rng.choice([1, 1, 0.25, 2])
        a = (nudge(corner[0] + s * dx, rng.randint(-1, 1)), corner[1] + s * dy)
        b = (nudge(corner[0] - t * dx, rng.randint(-1, 1)), corner[1] - t * dy)
        if index % 3 < 2:
            yield "polyline", [[a, b]], tuple(env)
        else:  # a triangle with that segment as a side, on either hand
            away = rng.choice([-9, 9]) * scale
            yield "polygon", [ring([a, b, (a[0] - dy / scale * away, a[1] + dx / scale * away)])], tuple(env)
    for index in range(400):  # a square with a hole, and a hole in reach of rounding
        hole = sorted(nudge(float(rng.randint(2, 8)), rng.randint(-1, 1)) for _ in range(2))
        parts = [ring([(0.0, 0.0), (0.0, 10.0), (10.0, 10.0), (10.0, 0.0)]),
                 ring([(hole[0], hole[0]), (hole[1], hole[0]), (hole[1], hole[1]), (hole[0], hole[1])])]
        if index % 3 == 0:  # an island in the hole; two rings that share a border cancel there
            parts.append(ring([(4.0, 4.0), (6.0, 4.0), (6.0, 6.0), (4.0, 6.0)]))
        x = sorted(nudge(float(rng.randint(-1, 11)), rng.randint(-1, 1)) for _ in range(2))
        y = sorted(nudge(float(rng.randint(-1, 11)), rng.randint(-1, 1)) for _ in range(2))
        yield "polygon", parts, (x[0], y[0], x[1], y[1])


with open(here / "orientation.tsv", "w") as out:
    for case in orientation_cases():
        out.write("\t".join([str(orientation(*case))] + [short(value) for value in case]) + "\n")

with open(here / "meets.tsv", "w") as out:
    for kind, parts, env in meets_cases():
        text = ";".join(" ".join(short(value) for point in part for value in point) for part in parts)
        answer = "1" if meets(kind, parts, env) else "0"
        out.write("\t".join([kind, answer, " ".join(short(value) for value in env), text]) + "\n")

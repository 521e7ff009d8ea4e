"""Colours: contrast (WCAG 2.1), colour vision deficiency (Machado and others 2009) and CIEDE2000 (CIE 142-2001)."""

import math

# Severity 1.0, for linear sRGB.
DEFICIENCIES = {
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritanopia": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}


def over(color, below, opacity=1.0):
    """Returns the opaque colour of `color` (with alpha) over the opaque colour `below`."""
    share = (color[3] if len(color) > 3 else 255) / 255 * opacity
    return tuple(top * share + bottom * (1 - share) for top, bottom in zip(color[:3], below[:3]))


def linear(color):
    return tuple(v / 12.92 if (v := c / 255) <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for c in color[:3])


def contrast(one, other):
    lights = sorted(sum(w * v for w, v in zip((0.2126, 0.7152, 0.0722), linear(c))) for c in (one, other))
    return (lights[1] + 0.05) / (lights[0] + 0.05)


def seen(light, matrix):
    return tuple(min(1, max(0, sum(m * v for m, v in zip(row, light)))) for row in matrix)


def lab(light):
    rows = ((0.4124564, 0.3575761, 0.1804375), (0.2126729, 0.7151522, 0.0721750), (0.0193339, 0.1191920, 0.9503041))
    xyz = [sum(m * v for m, v in zip(row, light)) / sum(row) for row in rows]
    f = [v ** (1 / 3) if v > (6 / 29) ** 3 else v / (3 * (6 / 29) ** 2) + 4 / 29 for v in xyz]
    return 116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])


def difference(one, other):
    """Returns CIEDE2000 with all parametric factors 1."""
    (l1, a1, b1), (l2, a2, b2) = one, other
    mean = (math.hypot(a1, b1) + math.hypot(a2, b2)) / 2
    stretch = 1 + 0.5 * (1 - math.sqrt(mean**7 / (mean**7 + 25**7)))
    polar = [(math.hypot(a * stretch, b), math.degrees(math.atan2(b, a * stretch)) % 360) for a, b in ((a1, b1), (a2, b2))]
    (c1, h1), (c2, h2) = polar
    if c1 * c2 == 0:
        turn, hue = 0, h1 + h2
    else:
        turn = (h2 - h1 + 180) % 360 - 180
        hue = (h1 + h2) / 2 if abs(h1 - h2) <= 180 else ((h1 + h2 + 360) / 2) % 360
    chroma, light = (c1 + c2) / 2, (l1 + l2) / 2
    cos = lambda degrees: math.cos(math.radians(degrees))
    t = 1 - 0.17 * cos(hue - 30) + 0.24 * cos(2 * hue) + 0.32 * cos(3 * hue + 6) - 0.2 * cos(4 * hue - 63)
    dl = (l2 - l1) / (1 + 0.015 * (light - 50) ** 2 / math.sqrt(20 + (light - 50) ** 2))
    dc = (c2 - c1) / (1 + 0.045 * chroma)
    dh = 2 * math.sqrt(c1 * c2) * math.sin(math.radians(turn / 2)) / (1 + 0.015 * chroma * t)
    angle = 60 * math.exp(-(((hue - 275) / 25) ** 2))
    rotation = -2 * math.sqrt(chroma**7 / (chroma**7 + 25**7)) * math.sin(math.radians(angle))
    return math.sqrt(max(0, dl * dl + dc * dc + dh * dh + rotation * dc * dh))


def check():
    """Checks the difference with pairs of Sharma, Wu and Dalal 2005, table 1."""
    for one, other, expected in (
        ((50, 2.6772, -79.7751), (50, 0, -82.7485), 2.0425), ((50, -1, 2), (50, 0, 0), 2.3669),
        ((50, 2.5, 0), (50, 3.2592, 0.3350), 1.0), ((50, 2.5, 0), (61, -5, 29), 22.8977),
        ((60.2574, -34.0099, 36.2677), (60.4626, -34.1751, 39.4387), 1.2644),
        ((22.7233, 20.0904, -46.6940), (23.0331, 14.9730, -42.5619), 2.0373),
        ((90.8027, -2.0831, 1.4410), (91.1528, -1.6435, 0.0447), 1.4441),
        ((2.0776, 0.0795, -1.1350), (0.9033, -0.0636, -0.5514), 0.9082),
    ):
        assert abs(difference(one, other) - expected) < 1e-4, (one, other, difference(one, other))


check()

"""Scenes with every style of marker, line and fill in rows, in pixels, and web maps that draw them."""
import json
import math

MARKERS = ["Circle", "Square", "Diamond", "Triangle", "Cross", "X"]
DASHES = ["Solid", "Dash", "Dot", "DashDot", "DashDotDot", "LongDash", "LongDashDot",
          "ShortDash", "ShortDot", "ShortDashDot", "ShortDashDotDot"]
HATCHES = ["Solid", "Horizontal", "Vertical", "Cross", "ForwardDiagonal", "BackwardDiagonal", "DiagonalCross"]
CAPS, JOINS = ["butt", "round", "square"], ["miter", "round", "bevel"]
POINTS = 72 / 96  # points per pixel
KINDS = {"point": "esriGeometryPoint", "line": "esriGeometryPolyline", "polygon": "esriGeometryPolygon"}


class Scene:
    """Items on a canvas: (kind, coordinates in pixels from the top left, Esri symbol)."""

    def __init__(self, name, about, width, height):
        self.name, self.about, self.width, self.height, self.items = name, about, width, height, []

    def add(self, kind, coordinates, symbol):
        self.items.append((kind, coordinates, symbol))

    def document(self):
        """Returns a web map in which one map unit is one pixel."""
        layers = []
        for kind in ("polygon", "line", "point"):
            items = [(c, s) for k, c, s in self.items if k == kind]
            if items:
                layers.append(self.layer(kind, items))
        return json.dumps({
            "operationalLayers": [{"featureCollection": {"layers": layers}}],
            "background": {"color": [255, 255, 255, 255]},
            "initialState": {"viewpoint": {"targetGeometry": {
                "xmin": 0, "ymin": 0, "xmax": self.width, "ymax": self.height,
                "spatialReference": {"wkid": 3857}}}}})

    def layer(self, kind, items):
        flip = self.height
        looks, features = [], []
        for coordinates, symbol in items:
            if symbol not in looks:
                looks.append(symbol)
            if kind == "point":
                shape = {"x": coordinates[0], "y": flip - coordinates[1]}
            else:
                chain = [[x, flip - y] for x, y in coordinates]
                shape = {"paths": [chain]} if kind == "line" else {"rings": [chain + chain[:1]]}
            features.append({"attributes": {"look": looks.index(symbol)}, "geometry": shape})
        classes = [{"value": str(n), "symbol": s} for n, s in enumerate(looks)]
        return {
            "layerDefinition": {
                "geometryType": KINDS[kind], "spatialReference": {"wkid": 3857},
                "fields": [{"name": "look", "type": "esriFieldTypeInteger"}],
                "drawingInfo": {"renderer": {
                    "type": "uniqueValue", "field1": "look", "uniqueValueInfos": classes}}},
            "featureSet": {"geometryType": KINDS[kind], "features": features}}


def line(width, color=(30, 30, 30, 255), style="Solid", **more):
    """Returns a line symbol with a width in pixels."""
    return {"type": "esriSLS", "style": "esriSLS" + style, "color": list(color),
            "width": width * POINTS, **more}


def marker(style, size, color=(196, 44, 46, 255), outline=None, **more):
    """Returns a marker with a size in pixels; cross and x consist of their outline."""
    if style in ("Cross", "X"):
        outline = outline or line(max(1, size / 6), color)
    return {"type": "esriSMS", "style": "esriSMS" + style, "color": list(color), "size": size * POINTS,
            "outline": outline, **more}


def fill(style, color=(70, 110, 150, 255), outline=None):
    return {"type": "esriSFS", "style": "esriSFS" + style, "color": list(color), "outline": outline}


def zigzag(x, y, width, height, turns=6):
    return [(x + width * n / turns, y + (height if n % 2 else 0)) for n in range(turns + 1)]


def spiral(x, y, radius, turns=2.5, steps=90):
    """Returns a smooth curve with decreasing curvature."""
    return [(x + radius * n / steps * math.cos(2 * math.pi * turns * n / steps),
             y + radius * n / steps * math.sin(2 * math.pi * turns * n / steps)) for n in range(steps + 1)]


def markers():
    scene = Scene("markers", "Circle, square, diamond, triangle, cross, x in sizes of 3 to 40 px; with a white and "
                  "a dark outline; rotated by 0 to 75 degrees; half transparent and overlapping.", 900, 620)
    for row, style in enumerate(MARKERS):
        y, x = 50 + 100 * row, 20
        for size in (3, 4, 5, 6, 8, 10, 12, 16, 20, 28, 40):
            scene.add("point", (x + size / 2 + .3, y + .4), marker(style, size))
            x += size + 12
        for width, color in ((1, (255, 255, 255, 255)), (1.5, (20, 20, 20, 255))):
            if style in ("Cross", "X"):
                color = (20, 20, 20, 255)
            scene.add("point", (x + 20, y), marker(style, 28, outline=line(width, color)))
            x += 48
        for angle in range(0, 90, 15):
            scene.add("point", (x + 15, y), marker(style, 20, (40, 110, 90, 255), angle=angle))
            x += 34
        for _ in range(5):
            scene.add("point", (x + 15, y), marker(style, 30, (60, 90, 160, 120)))
            x += 16
    return scene


def dashes():
    scene = Scene("dashes", "Every dash, one per row: 1, 2 and 4 px wide with butt caps, 4 px with round and with "
                  "square caps, then along a zigzag and a spiral.", 1180, 740)
    for row, style in enumerate(DASHES):
        y = 30 + 66 * row
        for column, (width, cap) in enumerate(((1, "butt"), (2, "butt"), (4, "butt"), (4, "round"), (4, "square"))):
            scene.add("line", [(20 + 180 * column, y + .5), (180 + 180 * column, y + .5)],
                      line(width, style=style, cap=cap))
        scene.add("line", zigzag(20, y + 14, 880, 26, 16), line(1.5, (20, 90, 150, 255), style))
        scene.add("line", spiral(1000, y + 12, 34), line(2, (150, 60, 20, 255), style))
        scene.add("line", [(1080, y - 20), (1150, y - 20), (1150, y + 30), (1080, y + 30), (1080, y - 18)],
                  line(3, style=style))
    return scene


def joins():
    scene = Scene("joins", "Caps in rows (butt, round, square), joins in columns (miter, round, bevel); corners from "
                  "obtuse to sharp, 14, 6 and 1.5 px wide.", 1080, 560)
    for row, cap in enumerate(CAPS):
        for column, join in enumerate(JOINS):
            x, y = 30 + 350 * column, 40 + 180 * row
            for n, spread in enumerate((60, 26, 9, 3)):
                shape = [(x + 50 + 75 * n - spread, y + 110), (x + 50 + 75 * n, y + 30),
                         (x + 50 + 75 * n + spread, y + 110)]
                scene.add("line", shape, line(14, (90, 120, 150, 140), cap=cap, join=join))
                scene.add("line", shape, line(1.5, cap=cap, join=join))
            scene.add("line", zigzag(x, y + 128, 290, 14, 12), line(6, (150, 60, 20, 255), cap=cap, join=join))
    return scene


def fills():
    scene = Scene("fills", "Every fill, one per row: in a square without and with an outline, in a polygon that is not "
                  "convex, half transparent, and in adjacent areas with aligned lines.", 1000, 880)
    for row, style in enumerate(HATCHES):
        y = 15 + 123 * row
        box = [(0, 0), (100, 0), (100, 100), (0, 100)]
        star = [(50 + (50 if n % 2 == 0 else 21) * math.sin(math.pi * n / 7),
                 50 - (50 if n % 2 == 0 else 21) * math.cos(math.pi * n / 7)) for n in range(14)]
        shapes = [(box, fill(style)), (box, fill(style, outline=line(1.5))),
                  (star, fill(style, (40, 110, 90, 255), line(1, (40, 110, 90, 255)))),
                  (box, fill(style, (196, 44, 46, 110), line(4, (196, 44, 46, 110)))),
                  (star, fill(style, (150, 60, 20, 255)))]
        for column, (shape, symbol) in enumerate(shapes):
            scene.add("polygon", [(20 + 125 * column + px, y + py) for px, py in shape], symbol)
        for n in range(9):
            left, top = 660 + 110 * (n % 3), y + 34 * (n // 3)
            scene.add("polygon", [(left, top), (left + 110, top), (left + 110, top + 34), (left, top + 34)],
                      fill(style, outline=line(.7, (255, 255, 255, 255) if style == "Solid" else (70, 110, 150, 255))))
    return scene


SCENES = [markers, dashes, joins, fills]

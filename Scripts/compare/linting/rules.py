"""Finds the faults that `mapstate lint` reports, from the document and the rows alone.

A finding is (rule, path, key, numbers). The key separates findings of one rule at one path.
"""

import itertools
import math
import re
import sqlite3
from collections import Counter

from colors import DEFICIENCIES, contrast, difference, lab, linear, over, seen
from document import scales_of, text_of

WHITE = (255, 255, 255)
SHAPES = {"esriSMS", "esriSLS", "esriSFS"}


# --- Classes ---------------------------------------------------------------------------------------------------------


def number_text(text):
    """Returns a number as a renderer writes it, because unique values compare as numbers where the field holds numbers."""
    return text_of(float(text)) if re.fullmatch(r"[+-]?[0-9]+(\.[0-9]*)?", text) else text


class Classes:
    """The classes of a renderer: label, path, symbol, and the values or the range of each."""

    def __init__(self, layer):
        renderer, path = layer.renderer, layer.drawing_path + ".renderer"
        self.kind, self.renderer, self.path, self.items = renderer.get("type"), renderer, path, []
        self.expression = renderer.get("valueExpression")
        self.default = renderer.get("defaultSymbol")
        self.default_label = (renderer.get("defaultLabel") or "").strip() if self.default else ""
        self.fields = [renderer[f] for f in ("field1", "field2", "field3") if renderer.get(f)] or (
            [renderer["field"]] if renderer.get("field") else [])
        self.delimiter = renderer.get("fieldDelimiter") or ","
        if self.kind == "classBreaks":
            low = renderer.get("minValue")
            for index, info in enumerate(renderer.get("classBreakInfos") or []):
                low = info.get("classMinValue", low)
                low = -math.inf if low is None else low
                high = info.get("classMaxValue", math.inf)
                self.items.append((info.get("label") or "", f"{path}.classBreakInfos[{index}]", info.get("symbol"), (low, high)))
                low = high
        elif self.kind == "uniqueValue":
            groups = renderer.get("uniqueValueGroups")
            for g, group in enumerate(groups or []):
                for c, info in enumerate(group.get("classes") or []):
                    values = [self.delimiter.join(v) if isinstance(v, list) else str(v) for v in info.get("values") or []]
                    self.items.append((info.get("label") or ", ".join(values), f"{path}.uniqueValueGroups[{g}].classes[{c}]", info.get("symbol"), values))
            for index, info in enumerate([] if groups else renderer.get("uniqueValueInfos") or []):
                value = text_of(info.get("value"))
                self.items.append((info.get("label") or value, f"{path}.uniqueValueInfos[{index}]", info.get("symbol"), [value]))

    def value(self, row):
        if self.kind == "uniqueValue":
            return self.delimiter.join(text_of(row.get(f)) for f in self.fields)
        value = row.get(self.fields[0]) if self.fields else None
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            return None
        by = self.renderer.get("normalizationType")
        if by == "esriNormalizeByField":
            divisor = row.get(self.renderer.get("normalizationField"))
            return value / divisor if divisor else None
        if by == "esriNormalizeByPercentOfTotal":
            total = self.renderer.get("normalizationTotal")
            return value / total * 100 if total else None
        if by == "esriNormalizeByLog":
            return math.log10(value) if value > 0 else None
        return value

    def index(self, row):
        value = self.value(row)
        if self.kind == "uniqueValue":
            return next((i for i, item in enumerate(self.items) if value in item[3]), -1)
        if value is None:
            return -1
        lowest = min((item[3][0] for item in self.items), default=0)
        for i, (_, _, _, (low, high)) in enumerate(self.items):
            if low < value <= high or value == low == lowest and value <= high:
                return i
        return -1


def break_findings(layer, classes, found, dead):
    ranges = [item[3] for item in classes.items]
    lowest = min((low for low, _ in ranges), default=0)
    live = []
    for i, (low, high) in enumerate(ranges):
        if high < low or high == low and low != lowest:
            dead.add(i)
            found.append(("unreachable-class", classes.items[i][1], "", {}))
        else:
            live.append(i)
    numbers = []
    if not classes.expression:
        numbers = [v for v in (classes.value(layer.rows[r]) for r in layer.shown) if v is not None]
    whole = not classes.expression and not classes.renderer.get("normalizationType") and classes.fields and layer.is_whole(classes.fields[0])
    bounds = sorted({b for i in live for b in ranges[i]})
    used = set()
    for low, high in itertools.pairwise(bounds):
        holders = [i for i in live if ranges[i][0] <= low and high <= ranges[i][1]]
        used.update(holders[:1])
        rows = sum(low < n <= high for n in numbers)
        if not holders and not (whole and math.floor(high) <= low):
            found.append(("class-gap", classes.path, (low, high), {"rows": rows}))
        if len(holders) > 1:
            found.append(("class-overlap", classes.path, (low, high), {}))
    for i in live:
        if i not in used and ranges[i][0] < ranges[i][1]:
            dead.add(i)
            found.append(("unreachable-class", classes.items[i][1], "", {}))


def value_findings(layer, classes, found, dead):
    owners = set()
    for i, (_, path, _, values) in enumerate(classes.items):
        used = 0
        for text in values:
            parts = text.split(classes.delimiter) if len(classes.fields) > 1 else [text]
            if len(parts) == len(classes.fields) and not classes.expression:
                parts = [number_text(p) if layer.is_numeric(f) else p for p, f in zip(parts, classes.fields)]
            value = classes.delimiter.join(parts)
            if value in owners:
                found.append(("duplicate-value", path, text, {}))
                continue
            owners.add(value)
            wrong = len(parts) < len(classes.fields)
            if len(parts) == len(classes.fields) and not classes.expression:
                for part, field in zip(parts, classes.fields):
                    if part in ("<Null>", "null") or not layer.is_numeric(field):
                        continue
                    try:
                        wrong |= text_of(float(part) if not layer.is_whole(field) else int(float(part))) != part
                    except ValueError:
                        wrong = True
            if wrong and not classes.expression:
                found.append(("unreachable-class", path, text, {}))
            else:
                used += 1
        if not used:
            dead.add(i)


def class_findings(layer, found, notes):
    classes = layer.classes
    if classes.kind not in ("uniqueValue", "classBreaks"):
        return
    dead = set()
    (break_findings if classes.kind == "classBreaks" else value_findings)(layer, classes, found, dead)
    if classes.expression:
        notes.append("classes by an expression: rows not checked")
        return
    missing = [layer.rows[r] for r in layer.shown if layer.class_of[r] < 0]
    if classes.kind == "classBreaks":
        values = [classes.value(row) for row in missing]
        count = sum(v is not None for v in values) if classes.default else len(values)
        # A value at the lower end of a gap or outside all classes.
        if count:
            found.append(("value-without-class", classes.path, "", {"rows": count}))
    else:
        listed = {v.strip().lower() for item in classes.items for v in item[3]}
        values = Counter()
        for row in missing:
            nothing = all(row.get(f) is None for f in classes.fields)
            value = classes.value(row)
            if classes.default and (nothing or classes.default_label and value.strip().lower() not in listed):
                continue
            values["<Null>" if nothing else value] += 1
        if values:
            found.append(("value-without-class", classes.path, "", {"rows": values.total(), "values": len(values)}))
    if layer.rows:
        for i, item in enumerate(classes.items):
            if i not in dead and not any(c == i for c in layer.class_of):
                found.append(("class-without-rows", item[1], "", {"rows": 0}))


# --- Scales ----------------------------------------------------------------------------------------------------------


def interval(scales):
    """Returns the least and the greatest denominator."""
    return scales[1], scales[0] if scales[0] > 0 else math.inf


def meets(ranges):
    """Whether ranges have a scale in common, both ends included."""
    ends = [interval(r) for r in ranges]
    return max(e[0] for e in ends) <= min(e[1] for e in ends)


def member(scales):
    return "minScale" if scales[0] > 0 else "maxScale"


def scale_findings(layer, found):
    def part(scales, path, is_exclusive=False):
        inner = [layer.scales] + ([layer.outer[0]] if layer.outer and layer.map_range else [])
        least = max(interval(r)[0] for r in [scales] + inner)
        most = min(interval(r)[1] for r in [scales] + inner)
        # Where "maxScale" is excluded, the part ends above it.
        if least > most or is_exclusive and scales[1] >= most:
            found.append(("scale-range", path, "", {}))

    if any(layer.scales) and (not meets([layer.scales]) or not all(meets([layer.scales, *layer.outer[k:]]) for k in range(len(layer.outer) + 1))):
        found.append(("scale-range", f"{layer.scales_path}.{member(layer.scales)}", "", {}))
        return
    info = layer.definition.get("displayFilterInfo") or {}
    if info.get("filterMode") == "scale":
        for i, item in enumerate(info.get("filters") or []):
            part(scales_of(item), f"{layer.definition_path}.displayFilterInfo.filters[{i}]", True)
    for i, item in enumerate(layer.renderer.get("uniqueValueInfos") or []):
        symbols = [(item.get("symbol") or {}, "symbol")] + [
            (s, f"alternateSymbols[{k}]") for k, s in enumerate(item.get("alternateSymbols") or [])]
        for symbol, name in symbols:
            own = (symbol.get("primitiveOverrides") and {}) or symbol.get("referenceProperties") or {}
            if symbol.get("referenceProperties"):
                part(scales_of(own), f"{layer.drawing_path}.renderer.uniqueValueInfos[{i}].{name}")


# --- Labels ----------------------------------------------------------------------------------------------------------


def label_findings(layer, found, notes):
    if not layer.item.get("showLabels"):
        return
    for i, label in enumerate(layer.labels):
        path = f"{layer.drawing_path}.labelingInfo[{i}]"
        scales = scales_of(label)
        try:
            wanted = set(layer.select(label.get("where") or ""))
        except sqlite3.Error as error:
            # The tool leaves out the label class with a warning.
            notes.append(f"{path}.where: {error}")
            continue
        rows = [r for r in layer.shown if r in wanted]
        if not meets([scales]) or meets([layer.scales]) and not meets([scales, layer.scales]):
            found.append(("label-never-placed", f"{path}.{member(scales)}", "", {}))
        elif layer.shown:
            drawn = [r for r in rows if layer.class_of[r] >= 0 or layer.classes.default or layer.classes.kind == "simple"]
            if not drawn and not layer.classes.expression:
                found.append(("label-never-placed", f"{path}.where", "", {}))
        contrast_finding(layer, label, rows, path, found)


def contrast_finding(layer, label, rows, path, found):
    symbol, font = label.get("symbol") or {}, (label.get("symbol") or {}).get("font") or {}
    color, canvas = symbol.get("color"), layer.document.canvas
    if not color or len(color) > 3 and color[3] == 0:
        return
    fills = []
    has_color_variable = any(v.get("type") == "colorInfo" for v in layer.renderer.get("visualVariables") or [])
    if layer.kind == "polygon" and not has_color_variable:
        indexes = {layer.class_of[r] for r in rows} if rows and not layer.classes.expression else None
        for i, fill in layer.symbols():
            solid = fill.get("type") == "esriSFS" and fill.get("style") == "esriSFSSolid" and fill.get("color")
            if solid and (indexes is None or i in indexes):
                fills.append(over(fill["color"], canvas, layer.opacity))
    surfaces = None
    halo = symbol.get("haloColor") if (symbol.get("haloSize") or 0) > 0 else None
    for around in (halo, symbol.get("backgroundColor")):
        if surfaces is None and around and (len(around) < 4 or around[3] > 0):
            surfaces = [over(around, base) for base in fills or [canvas]]
    if surfaces is None:
        alone = not layer.document.has_basemap and all(
            other.kind != "polygon" for other in layer.document.layers)
        surfaces = fills or ([canvas] if alone else [])
    if not surfaces:
        return
    ratio = min(contrast(over(color, surface), surface) for surface in surfaces)
    size = font.get("size") or 0
    needed = 3 if size >= 18 or size >= 14 and font.get("weight") == "bold" else 4.5
    if ratio < needed:
        found.append(("text-contrast", f"{path}.symbol", "", {"contrast": ratio, "needed": needed}))


# --- Colours of classes ----------------------------------------------------------------------------------------------


def parts(symbol):
    """Returns the shape, the visible colours and the sizes of a symbol; None for one that is not compared."""
    kind, style, colors, sizes = symbol.get("type"), symbol.get("style"), [], []
    if kind not in SHAPES:
        return None
    shape = [kind, style, symbol.get("angle") or 0, symbol.get("xoffset") or 0, symbol.get("yoffset") or 0]

    def add(color, is_line=False):
        if color and (len(color) < 4 or color[3] > 0):
            colors.append(color)
            return True
        return False

    def line(item):
        if not item or item.get("style") == "esriSLSNull" or (item.get("width") or 0) <= 0:
            return None
        if not add(item.get("color")):
            return None
        sizes.append(item["width"])
        return item.get("style") or "esriSLSSolid"

    if kind == "esriSLS":
        shape.append(line(symbol))
    else:
        if style not in ("esriSFSNull",):
            shape.append(add(symbol.get("color")))
        if kind == "esriSMS":
            sizes.append(symbol.get("size") or 0)
        shape.append(line(symbol.get("outline")))
    return (tuple(shape), colors, sizes) if colors else None


def color_findings(layer, found, notes):
    if any(v.get("type") == "colorInfo" for v in layer.renderer.get("visualVariables") or []):
        return
    seen_classes = []
    for i, symbol in layer.symbols():
        label = layer.classes.items[i][0] if i >= 0 else (layer.renderer.get("defaultLabel") or "(other)")
        path = layer.classes.items[i][1] if i >= 0 else layer.drawing_path + ".renderer.defaultSymbol"
        known = parts(symbol)
        if symbol.get("type", "").startswith("CIM"):
            notes.append(f"{path}: a CIM symbol is not compared")
        if known:
            shape, colors, sizes = known
            light = [linear([round(v) for v in over(c, layer.document.canvas, layer.opacity)]) for c in colors]
            seen_classes.append((label, path, shape, sizes, light))
    for one, other in itertools.combinations(seen_classes, 2):
        similar = len(one[3]) == len(other[3]) and all(a == b or max(a, b) < 1.2 * min(a, b) for a, b in zip(one[3], other[3]))
        if one[2] != other[2] or not similar:
            continue
        apart = lambda look: max(difference(lab(look(a)), lab(look(b))) for a, b in zip(one[4], other[4]))
        normal = apart(lambda c: c)
        least = min(apart(lambda c, m=m: seen(c, m)) for m in DEFICIENCIES.values())
        if one[0] == other[0] and normal == 0 and one[3] == other[3]:
            continue
        places = [re.fullmatch(r".*\.classBreakInfos\[(\d+)\]", item[1]) for item in (one, other)]
        # Neighbouring classes of numbers are read by their order.
        neighbours = all(places) and abs(int(places[0][1]) - int(places[1][1])) == 1
        limit, share = (3, 5) if neighbours else (5, 2)
        if least < limit or least < 10 and least < normal / share:
            found.append(("color-confusion", other[1], (one[0], other[0]), {"difference": least, "normal": normal}))


def findings(document):
    """Returns the findings of a document, and notes about what is not checked."""
    found, notes = [], []
    map_range = scales_of(document.json)
    for item, path, scales, outer in document.groups:
        if any(scales) and not (meets([scales]) and all(meets([scales, *outer[k:]]) for k in range(len(outer)))):
            found.append(("scale-range", f"{path}.{member(scales)}", "", {}))
    for layer in document.layers:
        layer.map_range = any(map_range)
        layer.classes = Classes(layer)
        layer.symbols = lambda layer=layer: [(i, item[2] or {}) for i, item in enumerate(layer.classes.items)] + (
            [(-1, layer.classes.default)] if layer.classes.default else []) + (
            [(0, layer.renderer.get("symbol") or {})] if layer.classes.kind == "simple" else [])
        scale_findings(layer, found)
        if layer.rows is None:
            notes.append(f"{layer.path}: {layer.problem}")
            continue
        if layer.problem:
            notes.append(f"{layer.path}: {layer.problem}")
        layer.class_of = [0 if layer.classes.kind == "simple" else layer.classes.index(row) for row in layer.rows]
        class_findings(layer, found, notes)
        label_findings(layer, found, notes)
        if layer.classes.items:
            color_findings(layer, found, notes)
    return found, notes

"""Plants the fault of each rule in documents, and checks that the tool reports it."""

import copy
import json
import random
import shutil
import tempfile
from pathlib import Path

from colors import DEFICIENCIES, difference, lab, linear, seen
from document import Document, text_of

RULES = [
    "class-gap", "class-overlap", "duplicate-value", "unreachable-class", "value-without-class", "class-without-rows",
    "scale-range", "label-never-placed", "text-contrast", "color-confusion",
]
# Rules whose fault needs a field of numbers.
NUMERIC = ["class-gap", "class-overlap", "unreachable-class"]
STYLES = {"point": ["Circle", "Square", "Diamond", "X"], "line": ["Solid", "Dash", "Dot"], "polygon": ["Solid", "Cross", "Vertical"]}


class Fault:
    """A fault in a copy of a layer: edits the JSON, and knows the path that the tool must name."""

    def __init__(self, layer, chance):
        self.layer, self.chance = layer, chance
        self.definition = layer.item.setdefault("layerDefinition", {}) if not layer.definition else layer.definition
        self.drawing = self.definition.setdefault("drawingInfo", {})
        self.root = f"{layer.definition_path}.drawingInfo"

    def symbol(self, color, style=None):
        kind = {"linestring": "line", "polyline": "line", "multipoint": "point"}.get(self.layer.kind, self.layer.kind)
        letter = {"point": "M", "line": "L", "polygon": "F"}[kind]
        symbol = {"type": f"esriS{letter}S", "style": f"esriS{letter}S{style or STYLES[kind][0]}", "color": color}
        return {**symbol, **({"size": 8} if kind == "point" else {"width": 2} if kind == "line" else {})}

    def color(self):
        return [self.chance.randrange(256) for _ in range(3)] + [255]

    def field(self, numeric):
        known = [f for f in self.layer.fields if self.layer.is_numeric(f) is numeric]
        return self.chance.choice(known) if known else None

    def breaks(self, ranges):
        """Sets class breaks; each class has its own lower bound."""
        self.drawing["renderer"] = {
            "type": "classBreaks", "field": self.field(True), "minValue": ranges[0][0],
            "classBreakInfos": [
                {"classMinValue": low, "classMaxValue": high, "label": f"class {i}", "symbol": self.symbol(self.color())}
                for i, (low, high) in enumerate(ranges)]}

    def values(self, field=None):
        """Returns the infos of a unique value renderer, made from the rows where the layer has none."""
        renderer = self.drawing.get("renderer") or {}
        if renderer.get("type") == "uniqueValue" and renderer.get("uniqueValueInfos") and not field:
            return renderer["uniqueValueInfos"]
        field = field or self.field(False) or self.field(True)
        values = sorted({text_of(r.get(field)) for r in self.layer.rows})[:30]
        self.drawing["renderer"] = {"type": "uniqueValue", "field1": field, "uniqueValueInfos": [
            {"value": v, "label": v, "symbol": self.symbol(self.color())} for v in values]}
        return self.drawing["renderer"]["uniqueValueInfos"]

    def label(self, **more):
        symbol = {"type": "esriTS", "color": [0, 0, 0, 255], "haloColor": [255, 255, 255, 255], "haloSize": 1, "font": {"family": "Noto Sans", "size": 9}}
        symbol.update(more.pop("symbol", {}))
        labels = self.drawing["labelingInfo"] = (self.drawing.get("labelingInfo") or []) + [
            {"labelExpressionInfo": {"expression": f'$feature["{self.layer.fields[0]}"]'}, "symbol": symbol, **more}]
        self.layer.item["showLabels"] = True
        return f"{self.root}.labelingInfo[{len(labels) - 1}]"

    # Each function plants a fault and returns the path of the finding.

    def class_gap(self):
        cuts = sorted(self.chance.sample(range(-50, 5000, 5), 4))
        place = self.chance.randrange(1, 3)
        ranges = [[a, b] for a, b in zip(cuts, cuts[1:])]
        ranges[place][0] += self.chance.choice([1, 2, 4])
        self.breaks(ranges)
        return f"{self.root}.renderer.classBreakInfos[{place}]"

    def class_overlap(self):
        path = self.class_gap()
        infos = self.drawing["renderer"]["classBreakInfos"]
        place = int(path[-2])
        infos[place]["classMinValue"] = infos[place - 1]["classMaxValue"] - self.chance.choice([0.5, 1, 3])
        return path

    def duplicate_value(self):
        infos = self.values()
        infos.append({**copy.deepcopy(self.chance.choice(infos)), "label": "again"})
        return f"{self.root}.renderer.uniqueValueInfos[{len(infos) - 1}]"

    def unreachable_class(self):
        if self.chance.random() < 0.5:
            path = self.class_gap()
            info = self.drawing["renderer"]["classBreakInfos"][int(path[-2])]
            info["classMaxValue"] = info["classMinValue"] - 1
            return path
        infos = self.values(self.field(True))
        value = self.chance.choice(["many", "12 m", "1,5", "x7", "3-4"])
        infos.append({"value": value, "label": "new", "symbol": self.symbol(self.color())})
        return f"{self.root}.renderer.uniqueValueInfos[{len(infos) - 1}]"

    def value_without_class(self):
        infos, fields = self.values(), [self.drawing["renderer"].get(f) for f in ("field1", "field2", "field3")]
        shown = {text_of(self.layer.rows[r].get(fields[0])) for r in self.layer.shown}
        used = [i for i in infos if any(fields[1:]) or text_of(i["value"]) in shown]
        infos.remove(self.chance.choice(used or infos))
        self.drawing["renderer"].pop("defaultSymbol", None)
        return f"{self.root}.renderer"

    def class_without_rows(self):
        field = self.field(False)
        infos = self.values(field)
        place = self.chance.randrange(len(infos) + 1)
        value = f"none {self.chance.random()}" if field else str(self.chance.randrange(10**8, 10**9))
        infos.insert(place, {"value": value, "label": "none", "symbol": self.symbol(self.color())})
        return f"{self.root}.renderer.uniqueValueInfos[{place}]"

    def scale_range(self):
        holder, path = (self.layer.definition, self.layer.definition_path)
        self.layer.item.pop("minScale", None), self.layer.item.pop("maxScale", None)
        kind = self.chance.randrange(3)
        if kind == 0:
            holder.update(minScale=1000, maxScale=50000)
        elif kind == 1:
            self.layer.document.json.update(minScale=1e7, maxScale=1e5)
            holder.update(minScale=50000, maxScale=0)
        else:
            holder.update(minScale=1e6, maxScale=0)
            holder["displayFilterInfo"] = {"filterMode": "scale", "filters": [
                {"id": "near", "minScale": 1e6, "maxScale": 0, "where": "1=1"},
                {"id": "far", "minScale": 5e7, "maxScale": 2e6, "where": "1=1"}]}
            return f"{path}.displayFilterInfo.filters[1]"
        return f"{path}.minScale"

    def label_never_placed(self):
        kind = self.chance.randrange(3)
        if kind == 0:
            return self.label(where="1 = 0") + ".where"
        if kind == 1:
            return self.label(minScale=1000, maxScale=20000) + ".minScale"
        self.layer.item.pop("minScale", None), self.layer.item.pop("maxScale", None)
        self.definition.update(minScale=1e6, maxScale=1000)
        return self.label(minScale=0, maxScale=2e6) + ".maxScale"

    def text_contrast(self):
        base = [self.chance.randrange(30, 226) for _ in range(3)]
        near = [min(255, max(0, v + self.chance.randrange(-15, 16))) for v in base]
        return self.label(symbol={"color": near + [255], "haloColor": base + [255]}) + ".symbol"

    def color_confusion(self):
        while True:
            one, other = self.color(), self.color()
            apart = difference(lab(linear(one)), lab(linear(other)))
            least = min(difference(lab(seen(linear(one), m)), lab(seen(linear(other), m))) for m in DEFICIENCIES.values())
            if apart > 12 and least < 4.5:
                break
        infos = self.values()
        if len(infos) < 2:
            infos.append({"value": "other", "label": "other"})
        first, second = sorted(self.chance.sample(range(len(infos)), 2))
        infos[first]["symbol"], infos[second]["symbol"] = self.symbol(one), self.symbol(other)
        self.drawing["renderer"].pop("visualVariables", None)
        return f"{self.root}.renderer.uniqueValueInfos[{second}]"


def copied(path, folder):
    """Copies a document with its data; returns the path of the copy."""
    document = Document(path)
    target = Path(folder) / "map.json"
    shutil.copy(path, target)
    files = [str(f) for f in document.services.values()]
    target.with_suffix(".services").write_text(json.dumps(document.services))
    for item in document.json.get("operationalLayers") or []:
        if item.get("url") and "://" not in item["url"]:
            files.append(item["url"])
    for file in files:
        source = Path(path).parent / file
        if source.exists():
            (Path(folder) / file).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, Path(folder) / file)
    return target


def plant(tool, documents, seed, lint, compare):
    """Plants all faults; returns 1 if one is missed or if a finding in a changed document is not confirmed, else 0."""
    missed = total = agreed = wrong = 0
    for path in documents:
        with tempfile.TemporaryDirectory() as folder:
            target = copied(path, folder)
            original = target.read_text()
            before = {item[:3] + item[4:] for item in lint(tool, target)}
            line = []
            for rule in RULES:
                chance = random.Random(f"{seed} {Path(path).name} {rule}")
                target.write_text(original)
                document = Document(target)
                known = [la for la in document.layers if la.rows and la.shown and la.kind and la.definition and la.item.get("layerType") != "GroupLayer"
                         and not la.renderer.get("valueExpression") and not la.renderer.get("uniqueValueGroups")]
                if rule in NUMERIC:
                    known = [la for la in known if any(la.is_numeric(f) for f in la.fields)]
                if not known:
                    line.append(None)
                    continue
                fault = Fault(chance.choice(known), chance)
                expected = getattr(fault, rule.replace("-", "_"))()
                target.write_text(json.dumps(document.json))
                found = [item for item in lint(tool, target) if item[0] == rule and (item[1] == expected or (
                    rule in ("class-gap", "class-overlap") and expected.startswith(item[1] + ".")))]
                new = [item for item in found if item[:3] + item[4:] not in before]
                total += 1
                if not new:
                    missed += 1
                    print(f"  missed\t{rule}\t{expected}\t{'reported before' if found else 'not reported'}")
                line.append(bool(new))
                confirmed, disagreements = compare(tool, target, f"  {Path(path).name} with {rule}")
                agreed, wrong = agreed + confirmed, wrong + disagreements
            print(f"{Path(path).name}: {line.count(True)} of {len(line) - line.count(None)} faults found")
    print(f"{len(documents)} documents: {total - missed} of {total} planted faults found; "
          f"{agreed} findings confirmed, {wrong} disagreements")
    return 1 if missed or wrong else 0

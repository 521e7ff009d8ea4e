"""Reads web maps and their data: the layers with their rows, without any code of MapState."""

import csv
import json
import re
import sqlite3
from pathlib import Path


def number(text):
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    return text


def scales_of(item):
    """Returns the denominators minScale and maxScale; 0 for one that is not a number."""
    both = (item.get("minScale"), item.get("maxScale"))
    return tuple(v if isinstance(v, (int, float)) else 0 for v in both)


def text_of(value):
    """Returns a value as a renderer writes it."""
    if value is None:
        return "<Null>"
    if isinstance(value, bool):
        return "1" if value else "0"
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    return str(value)


class Layer:
    def __init__(self, item, path, holder, outer, document):
        self.item, self.path, self.holder, self.document = item, path, holder, document
        self.title = item.get("title") or item.get("id") or ""
        self.outer = outer  # the scale ranges of map and groups
        # An entry with a single table may carry its own definition.
        definitions = [(item, path)] + ([holder] if holder[0] is not item else [])
        known = [(d["layerDefinition"], p + ".layerDefinition") for d, p in definitions if d.get("layerDefinition")]
        self.definition, self.definition_path = known[0] if known else ({}, path + ".layerDefinition")
        found = [d for d in known if (d[0].get("drawingInfo") or {}).get("renderer")] or known
        drawing, self.drawing_path = (found[0][0].get("drawingInfo") or {}, found[0][1] + ".drawingInfo") if found else ({}, "")
        self.renderer, self.labels = drawing.get("renderer") or {}, drawing.get("labelingInfo") or []
        own = [d for d in [k[0] for k in known] + [item] if d.get("minScale") is not None or d.get("maxScale") is not None]
        scales = own[0] if own else {}
        self.scales = scales_of(scales)
        self.scales_path = next((p for d, p in known + [(item, path)] if d is scales), path)
        self.opacity = item.get("opacity", 1)
        transparency = drawing.get("transparency") or 0
        if "opacity" not in item and transparency:
            self.opacity = 1 - transparency / 100
        self.expression = (self.definition.get("definitionExpression") or "").strip()
        self.rows = self.kind = self.problem = None

    def load(self):
        try:
            self.rows, self.kind = self.read()
        except (OSError, ValueError, KeyError, UnicodeError) as error:
            self.problem = f"not read: {error}"
            return
        # A column of well-known text is the geometry.
        names = dict.fromkeys(name for row in self.rows for name in row if name.lower() != "wkt")
        # Names of columns do not depend on case; of two such fields, the first is used.
        self.fields = list({name.lower(): name for name in reversed(names)}.values())
        self.table = sqlite3.connect(":memory:")
        self.table.execute("PRAGMA case_sensitive_like = ON")
        columns = [self.column(f) for f in self.fields] or ["\"\""]
        self.table.execute(f"CREATE TABLE t ({', '.join(columns)})")
        for row in self.rows:
            values = [row.get(f) if isinstance(row.get(f), (int, float, str, type(None))) else str(row.get(f)) for f in self.fields]
            self.table.execute(f"INSERT INTO t VALUES ({', '.join('?' * max(1, len(values)))})", values or [None])
        try:
            self.shown = self.select(self.expression)
        except sqlite3.Error as error:
            # The tool leaves out the layer with a warning.
            self.rows, self.problem = None, f"definition expression not evaluated: {error}"

    @staticmethod
    def column(name):
        return '"' + name.replace('"', '""') + '"'

    def select(self, condition):
        """Returns the indexes of the rows that match a condition.

        Raises `sqlite3.Error` for conditions that SQLite accepts and databases with strict types do not.
        """
        for name in re.findall(r'"([^"]*)"', condition):
            if name.lower() not in {f.lower() for f in self.fields}:
                raise sqlite3.OperationalError(f"no such column: {name}")
        for name in re.findall(r'(\w+)"?\s*(?:<=|>=|<>|<|>|=)\s*-?\d', condition):
            if any(f.lower() == name.lower() and self.is_numeric(f) is False for f in self.fields):
                raise sqlite3.OperationalError(f"{name} is a text and is compared with a number")
        where = f" WHERE ({condition})" if condition.strip() else ""
        return [n - 1 for (n,) in self.table.execute("SELECT rowid FROM t" + where)]

    def read(self):
        tables = (self.item.get("featureCollection") or {}).get("layers")
        if tables is not None:
            table = self.holder[0]
            features = (table.get("featureSet") or {}).get("features") or []
            kind = (self.definition.get("geometryType") or table.get("layerDefinition", {}).get("geometryType", ""))
            return [f.get("attributes") or {} for f in features], kind.replace("esriGeometry", "").lower()
        url = self.item.get("url") or ""
        file = self.document.services.get(url.split("?")[0], None if "://" in url else url)
        if not file:
            raise OSError(f"no file for {url or 'an empty URL'}")
        path = self.document.path.parent / file
        if path.suffix.lower() == ".csv":
            with open(path, encoding="utf-8-sig", newline="") as lines:
                rows = [{k: None if v == "" else v for k, v in row.items()} for row in csv.DictReader(lines)]
            for field in rows[0] if rows else []:
                values = [row[field] for row in rows if row[field] is not None]
                if values and all(isinstance(number(v), (int, float)) for v in values):
                    for row in rows:
                        row[field] = row[field] if row[field] is None else number(row[field])
            return rows, "line" if rows and "WKT" in rows[0] and "LINESTRING" in (rows[0]["WKT"] or "") else "point"
        data = json.loads(path.read_text(encoding="utf-8"))
        features = data.get("features", [])
        kinds = [(f.get("geometry") or {}).get("type", "") for f in features]
        kind = next((k for k in kinds if k), "").lower().replace("multi", "")
        return [f.get("properties") or f.get("attributes") or {} for f in features], kind

    def is_numeric(self, field):
        """Whether a field holds numbers; None for an unknown or empty field."""
        values = [row.get(field) for row in self.rows if row.get(field) is not None]
        if field not in self.fields or not values:
            return None
        return all(isinstance(v, (int, float)) for v in values)

    def is_whole(self, field):
        return self.is_numeric(field) and all(isinstance(row.get(field), (int, type(None))) for row in self.rows)


class Document:
    def __init__(self, path):
        self.path = Path(path)
        self.json = json.loads(self.path.read_text(encoding="utf-8"))
        services = self.path.with_suffix(".services")
        self.services = json.loads(services.read_text()) if services.exists() else {}
        color = (self.json.get("background") or {}).get("color")
        white = (255, 255, 255)
        self.canvas = white if not color else tuple(
            t * color[3] / 255 + 255 * (1 - color[3] / 255) for t in color[:3]) if len(color) > 3 else tuple(color)
        self.layers, self.groups = [], []
        own = scales_of(self.json)
        outer = [own] if any(own) else []
        self.add(self.json.get("operationalLayers") or [], "$.operationalLayers", outer)
        for layer in self.layers:
            layer.load()
        base = self.json.get("baseMap") or {}
        self.has_basemap = bool(base.get("baseMapLayers")) or bool(base.get("style"))

    def add(self, items, path, outer):
        for index, item in enumerate(items):
            own = f"{path}[{index}]"
            if (item.get("layerType") or item.get("type")) == "GroupLayer":
                range_ = scales_of(item)
                self.groups.append((item, own, range_, outer))
                self.add(item.get("layers") or [], own + ".layers", outer + ([range_] if any(range_) else []))
                continue
            tables = (item.get("featureCollection") or {}).get("layers")
            if tables is not None:
                for place, table in enumerate(tables):
                    holder = (table, f"{own}.featureCollection.layers[{place}]")
                    self.layers.append(Layer(item, own, holder, outer, self))
            else:
                self.layers.append(Layer(item, own, (item, own), outer, self))

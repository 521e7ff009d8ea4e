"""A query of a layer: which rows answer, and the answer in each form."""

import datetime
import json
import re

import arcgis_geometry as geometry
import arcgis_layers
import arcgis_pbf


class QueryError(Exception):
    """Parameters that make no question."""


def quoted(name):
    return '"' + name.replace('"', '""') + '"'


class Query:
    def __init__(self, layer, parameters, page_size, coarse=False):
        self.layer, self.parameters, self.page_size, self.coarse = layer, parameters, page_size, coarse
        self.form = parameters.get("f", "html").lower()

    def flag(self, name, default=False):
        return self.parameters.get(name, str(default)).lower() == "true"

    def number(self, name, default):
        text = self.parameters.get(name)
        if text is None:
            return default
        if not re.fullmatch(r"\d+", text):
            raise QueryError(f"'{name}' parameter is invalid")
        return int(text)

    def field(self, name):
        for known in self.layer.types:
            if known.lower() == name.strip().strip('"').lower():
                return known
        raise QueryError(f"'Invalid field: {name.strip()}' parameter is invalid")

    # Which rows

    def conditions(self):
        """The rows as a condition in SQL."""
        parts = [f"({arcgis_layers.sql_where(self.parameters.get('where', '1=1'))})"]
        if "objectids" in self.parameters:
            parts.append(f"OBJECTID IN ({','.join(str(int(part)) for part in self.parameters['objectids'].split(','))})")
        if "time" in self.parameters:
            parts += self.time()
        if "geometry" in self.parameters and self.layer.geometry_type:
            parts.append(f"OBJECTID IN ({','.join(str(key) for key in self.related())})")
        return " AND ".join(parts)

    def time(self):
        name = self.layer.members.get("timeInfo", {}).get("startTimeField")
        ends = (self.parameters["time"].split(",") * 2)[:2]
        signs = (">=", "<=")
        return [f"{name} {sign} {int(end)}" for sign, end in zip(signs, ends) if end.strip() != "null"] if name else ["1 = 0"]

    def related(self):
        text, kind = self.parameters["geometry"], self.parameters.get("geometrytype", "esriGeometryEnvelope")[12:]
        source = self.wkid("insr", self.layer.wkid)
        if text.lstrip().startswith("{"):
            content = json.loads(text)
            source = self.wkid("insr", content.get("spatialReference", {}).get("latestWkid", source))
        else:
            numbers = [float(number) for number in text.split(",")]
            names = ("x", "y") if kind == "Point" else ("xmin", "ymin", "xmax", "ymax")
            content = dict(zip(names, numbers))
        if kind == "Envelope":
            low = arcgis_layers.project((content["xmin"], content["ymin"]), source, self.layer.wkid)
            high = arcgis_layers.project((content["xmax"], content["ymax"]), source, self.layer.wkid)
            shape = geometry.envelope(*low, *high)
        else:
            parts = (
                [[(content["x"], content["y"])]] if kind == "Point"
                else [content["points"]] if kind == "Multipoint"
                else content["paths"] if kind == "Polyline" else content["rings"]
            )
            shape = geometry.Shape(kind, [[arcgis_layers.project(place[:2], source, self.layer.wkid) for place in part] for part in parts])
        relation = self.parameters.get("spatialrel", "esriSpatialRelIntersects")[14:]
        for key, parts in self.layer.geometries.items():
            if not parts:
                continue
            answer = geometry.related(relation, shape, geometry.Shape(self.layer.geometry_type, parts))
            if answer is None:
                raise QueryError("'spatialRel' parameter is invalid")
            if answer:
                yield key

    def wkid(self, name, default):
        text = self.parameters.get(name, "")
        if text.lstrip().startswith("{"):
            content = json.loads(text)
            text = str(content.get("latestWkid", content.get("wkid", "")))
        wkid = int(text or default)
        wkid = 3857 if wkid in (102100, 102113, 900913) else wkid
        if wkid not in (3857, 4326):
            raise QueryError(f"'{name}' parameter is invalid")
        return wkid

    # Answers

    def answer(self):
        if self.form not in ("json", "pjson", "geojson", "pbf"):
            raise QueryError("'f' parameter is invalid")
        where = self.conditions()
        if "outstatistics" in self.parameters:
            return self.statistics(where)
        if self.flag("returndistinctvalues"):
            return self.distinct(where)
        if self.flag("returnextentonly"):
            return self.extent(where)
        if self.flag("returncountonly"):
            count = self.layer.query(f"SELECT COUNT(*) FROM rows WHERE {where}")[0][0]
            return arcgis_pbf.count(count) if self.form == "pbf" else {"count": count}
        if self.flag("returnidsonly"):
            ids = [row[0] for row in self.layer.query(f"SELECT OBJECTID FROM rows WHERE {where}")]
            return arcgis_pbf.ids("OBJECTID", ids) if self.form == "pbf" else {"objectIdFieldName": "OBJECTID", "objectIds": ids}
        return self.features(where)

    def extent(self, where):
        ids = [row[0] for row in self.layer.query(f"SELECT OBJECTID FROM rows WHERE {where}")]
        box = arcgis_layers.extent(part for key in ids for part in self.layer.geometries[key] or [])
        names = ("xmin", "ymin", "xmax", "ymax")
        result = {"extent": dict(zip(names, box or ["NaN"] * 4)) | {"spatialReference": {"wkid": self.layer.wkid}}}
        return result | ({"count": len(ids)} if self.flag("returncountonly") else {})

    def order(self, names=(), default="OBJECTID"):
        keys = []
        for key in self.parameters.get("orderbyfields", default).split(","):
            words = key.split()
            if not words or len(words) > 2 or (len(words) == 2 and words[1].upper() not in ("ASC", "DESC")):
                raise QueryError("'orderByFields' parameter is invalid")
            known = next((name for name in names if name.lower() == words[0].lower()), None) or self.field(words[0])
            keys.append(quoted(known) + (" " + words[1] if len(words) == 2 else ""))
        return " ORDER BY " + ", ".join(keys) if keys else ""

    def page(self):
        """The page as LIMIT and OFFSET with one row more, and its size."""
        size = min(self.number("resultrecordcount", self.page_size), self.page_size)
        return f" LIMIT {size + 1} OFFSET {self.number('resultoffset', 0)}", size

    def features(self, where):
        asked = self.parameters.get("outfields", "OBJECTID")
        names = list(self.layer.types) if asked.strip() == "*" else [self.field(name) for name in asked.split(",")]
        limit, size = self.page()
        selected = ", ".join(["OBJECTID", *map(quoted, names)])
        rows = self.layer.query(f"SELECT {selected} FROM rows WHERE {where}{self.order()}{limit}")
        exceeded, rows = len(rows) > size, rows[:size]
        has_geometry = self.layer.geometry_type is not None and self.flag("returngeometry", True)
        target = self.wkid("outsr", 4326 if self.form == "geojson" else self.layer.wkid)
        found = [(row[0], self.values(names, row[1:]), self.parts(row[0], target) if has_geometry else None) for row in rows]
        kind = self.layer.geometry_type if has_geometry else None
        if self.form == "pbf":
            fields = [(name, self.layer.types[name]) for name in names]
            return arcgis_pbf.features(
                fields, [row[1:] for row in found], "OBJECTID", kind, target, exceeded, self.coarse)
        if self.form == "geojson":
            return self.geojson(names, found, kind, exceeded)
        result = {
            "objectIdFieldName": "OBJECTID", "globalIdFieldName": "",
            "fields": [{"name": name, "type": f"esriFieldType{self.layer.types[name]}", "alias": name} for name in names],
        }
        if kind:
            result |= {
                "geometryType": f"esriGeometry{kind}",
                "spatialReference": {"wkid": 102100 if target == 3857 else target, "latestWkid": target},
            }
        if exceeded:
            result["exceededTransferLimit"] = True
        result["features"] = [
            {"attributes": dict(zip(names, values))} | ({"geometry": esri(kind, parts)} if kind else {}) for _, values, parts in found
        ]
        return result

    def values(self, names, row):
        def value(name, content):
            if content is not None and self.layer.types[name] == "DateOnly":
                return str((arcgis_layers.EPOCH + datetime.timedelta(milliseconds=content)).date())
            return content

        return [value(name, content) for name, content in zip(names, row)]

    def parts(self, key, target):
        parts = self.layer.geometries[key]
        return parts and [[arcgis_layers.project(place, self.layer.wkid, target) for place in part] for part in parts]

    def geojson(self, names, found, kind, exceeded):
        features = [
            {"type": "Feature", "id": key, "properties": dict(zip(names, values)), "geometry": geojson(kind, parts)}
            for key, values, parts in found
        ]
        return {"type": "FeatureCollection", "features": features} | ({"exceededTransferLimit": True} if exceeded else {})

    def distinct(self, where):
        if self.parameters.get("outfields", "*") == "*" or self.flag("returngeometry", True):
            raise QueryError("'returnDistinctValues' parameter is invalid")
        names = [self.field(name) for name in self.parameters["outfields"].split(",")]
        selected = ", ".join(map(quoted, names))
        rows = self.layer.query(f"SELECT DISTINCT {selected} FROM rows WHERE {where}{self.order(default=names[0])}")
        if self.flag("returncountonly"):
            return {"count": len(rows)}
        return {"features": [{"attributes": dict(zip(names, self.values(names, row)))} for row in rows]}

    # Statistics

    def statistics(self, where):
        columns, types = [], []
        for item in json.loads(self.parameters["outstatistics"]):
            kind, name = item["statisticType"].lower(), self.field(item["onStatisticField"])
            alias = item.get("outStatisticFieldName") or f"{kind}_{name}"
            own = self.layer.types[name]
            if kind.startswith("percentile_"):
                asked = item.get("statisticParameters", {})
                descending = int(asked.get("orderBy", "ASC").upper() == "DESC")
                sql = f"PERCENTILE({quoted(name)}, {float(asked['value'])}, {descending}, {int(kind.endswith('cont'))})"
            else:
                functions = {"count": "COUNT", "sum": "SUM", "min": "MIN", "max": "MAX", "avg": "AVG", "var": "VARIANCE", "stddev": "STDDEV"}
                if kind not in functions:
                    raise QueryError("'outStatistics' parameter is invalid")
                sql = f"{functions[kind]}({quoted(name)})"
            columns.append(f"{sql} AS {quoted(alias)}")
            types.append((alias, "Integer" if kind == "count" else own if kind in ("min", "max") else "Double"))
        grouped = self.parameters.get("groupbyfieldsforstatistics")
        groups = [self.field(name) for name in grouped.split(",")] if grouped else []
        sql = f"SELECT {', '.join([*map(quoted, groups), *columns])} FROM rows WHERE {where}"
        size = None
        if groups:
            sql += f" GROUP BY {', '.join(map(quoted, groups))}"
            if "having" in self.parameters:
                sql += f" HAVING {arcgis_layers.sql_where(self.parameters['having'])}"
            sql += self.order([alias for alias, _ in types], default=",".join(groups))
            limit, size = self.page()
            sql += limit
        rows = self.layer.query(sql)
        fields = [(name, self.layer.types[name]) for name in groups] + types
        result = {"fields": [{"name": name, "type": f"esriFieldType{kind}", "alias": name} for name, kind in fields]}
        if size is not None and len(rows) > size:
            result["exceededTransferLimit"], rows = True, rows[:size]
        result["features"] = [{"attributes": dict(zip((name for name, _ in fields), row))} for row in rows]
        return result


def esri(kind, parts):
    if kind == "Point":
        return dict(zip("xy", parts[0][0])) if parts else {"x": "NaN", "y": "NaN"}
    name = {"Multipoint": "points", "Polyline": "paths", "Polygon": "rings"}[kind]
    return {name: [place for part in parts for place in part] if kind == "Multipoint" else parts} if parts else None


def geojson(kind, parts):
    if not parts:
        return None
    if kind == "Point":
        return {"type": "Point", "coordinates": parts[0][0]}
    if kind == "Multipoint":
        return {"type": "MultiPoint", "coordinates": [place for part in parts for place in part]}
    if kind == "Polyline":
        return {"type": "MultiLineString", "coordinates": parts}
    polygons = []
    for ring in parts:
        area = sum(a[0] * b[1] - b[0] * a[1] for a, b in zip(ring, ring[1:]))
        if area < 0:
            polygons.append([ring[::-1]])
        else:
            polygons[-1].append(ring[::-1])
    return {"type": "MultiPolygon", "coordinates": polygons}

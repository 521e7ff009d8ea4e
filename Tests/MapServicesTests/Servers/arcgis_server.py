#!/usr/bin/env python3
"""A small ArcGIS feature and map service over the data of this project, for tests.

  arcgis_server.py DATA_FOLDER

listens on a free port of 127.0.0.1, prints it, and ends when its standard input does. Services: `Places`, of all layers,
as FeatureServer and MapServer, and `Cities`, of one. Before `/arcgis/rest/services` an address may hold `/page/N`, for
pages of at most N features, `/json`, for a service without protocol buffers, `/ids`, for one without pages, `/plain`, for
one without statistics and functions, and `/fault/NAME`, for one that misbehaves (arcgis_faults.py).
"""

import json
import sqlite3
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, unquote, urlsplit

import arcgis_faults
import arcgis_layers
from arcgis_query import Query, QueryError


class Variant:
    """What stands in an address before the services."""

    def __init__(self, steps):
        self.page_size, self.fault, self.flags = 2000, None, set()
        steps = iter(steps)
        for step in steps:
            if step == "page":
                self.page_size = int(next(steps))
            elif step == "fault":
                self.fault = next(steps)
            else:
                self.flags.add(step)


def service(layers, kind):
    def entry(layer):
        return {"id": layer.number, "name": layer.name}

    return {
        "currentVersion": 11.2, "serviceDescription": "", "capabilities": "Map,Query,Data" if kind == "MapServer" else "Query",
        "layers": [entry(layer) for layer in layers if layer.geometry_type],
        "tables": [entry(layer) for layer in layers if not layer.geometry_type],
    }


def reference(wkid):
    return {"wkid": 102100 if wkid == 3857 else wkid, "latestWkid": wkid}


def field(name, kind, members):
    return {"name": name, "type": f"esriFieldType{kind}", "alias": name, "nullable": True, "editable": True,
            "domain": None, "defaultValue": None, **members}


def description(layer, kind, variant):
    pages, plain = "ids" not in variant.flags, "plain" in variant.flags
    relations = ["Intersects", "EnvelopeIntersects", "IndexIntersects"]
    relations += {"Point": ["Contains"], "Polygon": ["Within"]}.get(layer.geometry_type, [])
    result = {
        "currentVersion": 11.2, "id": layer.number, "name": layer.name,
        "type": "Feature Layer" if layer.geometry_type else "Table", "displayField": layer.fields[1][0], "description": "",
        "objectIdField": "OBJECTID", "globalIdField": "", "hasZ": False, "hasM": False, "minScale": 0, "maxScale": 0,
        "definitionExpression": "", "useStandardizedQueries": not plain,
        "fields": [field(*member) for member in layer.fields], "types": [], "relationships": [],
        "capabilities": "Map,Query,Data" if kind == "MapServer" else "Query", "maxRecordCount": variant.page_size,
        "supportedQueryFormats": "JSON, geoJSON" + ("" if "json" in variant.flags else ", PBF"),
        "supportsStatistics": not plain, "supportsAdvancedQueries": pages,
        "advancedQueryCapabilities": {
            "supportsPagination": pages, "supportsPaginationOnAggregatedQueries": pages, "supportsStatistics": not plain,
            "supportsOrderBy": pages, "supportsDistinct": True, "supportsReturningQueryExtent": True,
            "supportsHavingClause": True, "supportsPercentileStatistics": True, "supportsDisjointSpatialRel": False,
        },
        "dateFieldsTimeReference": {"timeZone": "UTC", "respectsDaylightSaving": False},
    }
    if layer.geometry_type:
        xmin, ymin, xmax, ymax = layer.extent
        result |= {
            "geometryType": f"esriGeometry{layer.geometry_type}", "sourceSpatialReference": reference(layer.wkid),
            "extent": {"xmin": xmin, "ymin": ymin, "xmax": xmax, "ymax": ymax, "spatialReference": reference(layer.wkid)},
            "supportedSpatialRelationships": [f"esriSpatialRel{name}" for name in relations],
        }
    return result | layer.members


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # Bodies leave at once; a delayed one would wait for an acknowledgement.
    disable_nagle_algorithm = True

    def do_GET(self):
        self.answer({})

    def do_POST(self):
        length = int(self.headers.get("Content-Length") or 0)
        self.answer(dict(parse_qsl(self.rfile.read(length).decode(), keep_blank_values=True)))

    def answer(self, form):
        address = urlsplit(self.path)
        parameters = {
            name.lower(): text
            for name, text in [*parse_qsl(address.query, keep_blank_values=True), *form.items()]
            if text != ""
        }
        before, _, path = unquote(address.path).partition("/arcgis/rest/services/")
        variant = Variant(before.split("/")[1:] if before else [])
        try:
            content = self.content(path.split("/"), parameters, variant)
        except QueryError as error:
            content = {"error": {"code": 400, "message": "Cannot perform query. Invalid query parameters.", "details": [str(error)]}}
        except sqlite3.Error as error:
            content = {"error": {"code": 400, "message": "Unable to perform query.", "details": [f"Invalid where clause: {error}"]}}
        except (KeyError, IndexError, ValueError) as error:
            content = {"error": {"code": 404, "message": "Invalid URL", "details": [repr(error)]}}
        status, header = 200, {}
        if isinstance(content, arcgis_faults.Answer):
            content, status, header = content.content, content.status, content.header
        kind = "text/html" if header.get("Content-Type") == "text/html" else "application/json;charset=UTF-8"
        if isinstance(content, bytes):
            kind = "application/x-protobuf"
        else:
            content = (content if isinstance(content, str) else json.dumps(content)).encode()
        self.send(status, {"Content-Type": kind, **header}, content)

    def send(self, status, header, content):
        # "Cut" promises more than comes, and ends the connection.
        is_cut = header.pop("Cut", False)
        self.send_response(status)
        for name, text in header.items():
            self.send_header(name, text)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content[: len(content) // 2] if is_cut else content)
        self.close_connection = is_cut or self.close_connection

    def content(self, path, parameters, variant):
        """What is served at a path, spoilt where the variant says so."""
        layers = self.server.layers if path[0] == "Places" else [self.server.layers[0]] if path[0] == "Cities" else []
        if not layers or path[1] not in ("FeatureServer", "MapServer"):
            raise KeyError(path[0])
        if len(path) == 2:
            return service(layers, path[1])
        if path[2] == "layers":
            found = [description(layer, path[1], variant) for layer in layers]
            return {kind: [one for one in found if (one["type"] == "Table") == (kind == "tables")] for kind in ("layers", "tables")}
        layer = next(layer for layer in layers if layer.number == int(path[2])) if int(path[2]) < len(layers) else None
        if layer is None:
            raise KeyError(path[2])
        if len(path) == 3:
            content = description(layer, path[1], variant)
            return arcgis_faults.described(variant.fault, content)
        if path[3] != "query":
            raise KeyError(path[3])
        arcgis_faults.before_query(variant.fault, self, parameters)
        spoilt = arcgis_faults.parameters(variant.fault, parameters, variant.page_size)
        content = Query(layer, spoilt, variant.page_size, coarse=variant.fault == "coarse-pbf").answer()
        return arcgis_faults.answered(variant.fault, content, parameters)

    def log_message(self, *_):
        pass


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def handle_error(self, request, address):
        """Connections that clients end are nothing to tell."""


def main():
    server = Server(("127.0.0.1", 0), Handler)
    server.layers = list(arcgis_layers.load(sys.argv[1]).values())
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print(server.server_address[1], flush=True)
    # Whoever started the server holds the other end, so that it ends with him.
    sys.stdin.read()


main()

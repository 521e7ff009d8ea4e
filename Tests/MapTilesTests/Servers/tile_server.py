"""A server of tiles that misbehaves as the first part of its paths says; prints its port, ends when standard input does.

The tile /MODE/Z/X/Y.png has one colour, which tells zoom, column and row. /log answers with the number of requests of
each path and the largest number of requests at once, and forgets them.
"""

import json
import socket
import struct
import sys
import threading
import time
import zlib
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

lock = threading.Lock()
counts = {}
seen = set()
active = set()  # the connections with a request under way
most = 0
HALF = 20037508.342789244


def is_open(connection):
    """Whether the client waits for an answer, and has not given up and closed the connection."""
    try:
        return connection.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT) != b""
    except BlockingIOError:
        return True
    except OSError:
        return False


def png(width, height, color, stated=None):
    rows = (b"\0" + bytes(color) * width) * height

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", *(stated or (width, height)), 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def color(zoom, column, row):
    return [20 + 20 * zoom, 10 + 15 * column, 10 + 15 * row]


def service(size):
    lods = [{"level": z, "resolution": 2 * HALF / size / 2**z, "scale": 591657527.591555 * 256 / size / 2**z}
            for z in range(6)]
    extent = {"xmin": -HALF, "ymin": -HALF, "xmax": HALF, "ymax": HALF, "spatialReference": {"wkid": 102100}}
    info = {"rows": size, "cols": size, "dpi": 96, "format": "PNG32", "origin": {"x": -HALF, "y": HALF},
            "spatialReference": {"wkid": 102100, "latestWkid": 3857}, "lods": lods}
    return {"mapName": "Colours", "copyrightText": "<b>Made</b> by a test", "singleFusedMapCache": True,
            "tileInfo": info, "fullExtent": extent, "maxScale": lods[4]["scale"], "minScale": lods[0]["scale"]}


def capabilities(address, is_rest):
    """WMTS with a set in degrees, whose corner has the latitude first, before the set in Web Mercator."""
    sets = ""
    for name, crs, corner, scale, columns in [
        ("degrees", "urn:ogc:def:crs:EPSG::4326", "90.0 -180.0", 279541132.0143589, 2),
        ("mercator", "urn:ogc:def:crs:EPSG::3857", f"{-HALF} {HALF}", 559082264.0287178, 1),
    ]:
        matrices = "".join(
            f"<TileMatrix><ows:Identifier>{name}:{z}</ows:Identifier><ScaleDenominator>{scale / 2**z!r}</ScaleDenominator>"
            f"<TopLeftCorner>{corner}</TopLeftCorner><TileWidth>256</TileWidth><TileHeight>256</TileHeight>"
            f"<MatrixWidth>{columns * 2**z}</MatrixWidth><MatrixHeight>{2**z}</MatrixHeight></TileMatrix>"
            for z in range(5))
        sets += (f"<TileMatrixSet><ows:Identifier>{name}</ows:Identifier>"
                 f"<ows:SupportedCRS>{crs}</ows:SupportedCRS>{matrices}</TileMatrixSet>")

    def layer(name, own):
        links = "".join(f"<TileMatrixSetLink><TileMatrixSet>{s}</TileMatrixSet></TileMatrixSetLink>" for s in own)
        rest = (f'<ResourceURL format="image/png" resourceType="tile" template="{address}/wmts/rest/{name}/{{Style}}'
                '/{Time}/{TileMatrixSet}/{TileMatrix}/{TileRow}/{TileCol}.png"/>') if is_rest else ""
        return (f"<Layer><ows:Title>The {name}</ows:Title><ows:Identifier>{name}</ows:Identifier>"
                "<ows:WGS84BoundingBox><ows:LowerCorner>-180 -80</ows:LowerCorner>"
                "<ows:UpperCorner>180 80</ows:UpperCorner></ows:WGS84BoundingBox>"
                "<Style><ows:Identifier>other</ows:Identifier></Style>"
                '<Style isDefault="true"><ows:Identifier>plain</ows:Identifier></Style>'
                "<Format>text/html</Format><Format>image/png</Format>"
                "<Dimension><ows:Identifier>Time</ows:Identifier><Default>2020-01-01</Default></Dimension>"
                f"{links}{rest}</Layer>")

    operations = (f'<ows:OperationsMetadata><ows:Operation name="GetTile"><ows:DCP><ows:HTTP>'
                  f'<ows:Get xlink:href="{address}/wmts/kvp?map=a"><ows:Constraint name="GetEncoding"><ows:AllowedValues>'
                  "<ows:Value>KVP</ows:Value></ows:AllowedValues></ows:Constraint></ows:Get>"
                  "</ows:HTTP></ows:DCP></ows:Operation></ows:OperationsMetadata>")
    return ('<?xml version="1.0"?><Capabilities xmlns="http://www.opengis.net/wmts/1.0" '
            'xmlns:ows="http://www.opengis.net/ows/1.1" xmlns:xlink="http://www.w3.org/1999/xlink" version="1.0.0">'
            "<ows:ServiceProvider><ows:ProviderName>A &amp; B</ows:ProviderName></ows:ServiceProvider>"
            f"{operations}<Contents>{layer('colours', ['degrees', 'mercator'])}{layer('world', ['degrees'])}"
            f"{sets}</Contents></Capabilities>").encode()


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def answer(self, body, kind="image/png", status=200, **fields):
        self.send_response(status)
        for name, value in fields.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Type", kind)
        if status not in (204, 304):
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body if status not in (204, 304) else b"")

    def do_GET(self):
        global most
        if self.path == "/log":
            with lock:
                body = json.dumps({"counts": counts, "most": most}).encode()
                counts.clear()
                seen.clear()
                most = 0
            # A kept connection would be tried again, uncounted, where a later request finds it closed.
            self.close_connection = True
            return self.answer(body, "application/json", Cache_Control="no-store", Connection="close")
        with lock:
            counts[self.path] = counts.get(self.path, 0) + 1
            active.add(self.connection)
            most = max(most, sum(map(is_open, active)))
        try:
            time.sleep(0.02)
            self.act()
        finally:
            with lock:
                active.discard(self.connection)

    def is_first(self):
        with lock:
            is_first = self.path not in seen
            seen.add(self.path)
        return is_first

    def act(self):
        path, _, query = self.path.partition("?")
        mode, *parts = path.strip("/").split("/")
        address = f"http://127.0.0.1:{self.server.server_port}"
        if mode == "arcgis":
            if parts[1:] == ["MapServer"]:
                return self.answer(json.dumps(service(int(parts[0]))).encode(), "application/json")
            zoom, row, column = map(int, parts[3:])
            return self.answer(png(int(parts[0]), int(parts[0]), color(zoom, column, row)))
        if mode == "tilejson":
            return self.answer(json.dumps({
                "tilejson": "3.0.0", "tiles": ["../ok/{z}/{x}/{y}.png"] if parts[0] == "relative.json" else
                [f"{address}/ok/{{z}}/{{x}}/{{y}}.png"], "minzoom": 0, "maxzoom": 4, "name": "Colours",
                "attribution": "Made by a test"}).encode(), "application/json")
        if mode == "wmts":
            if parts[0] in ("rest.xml", "kvp.xml"):
                return self.answer(capabilities(address, parts[0] == "rest.xml"), "text/xml")
            if parts[0] == "rest":
                _, layer, style, day, matrices, name, row, column = parts
                if (style, day) != ("plain", "2020-01-01"):
                    return self.answer(b"", status=500)
                return self.answer(png(256, 256, color(int(name.split(":")[1]), int(column.split(".")[0]), int(row))))
            values = {k.upper(): v for k, v in (pair.split("=") for pair in query.split("&"))}
            wanted = {"MAP": "a", "SERVICE": "WMTS", "REQUEST": "GetTile", "STYLE": "plain", "FORMAT": "image/png",
                      "TIME": "2020-01-01"}
            if any(values.get(name) != value for name, value in wanted.items()):
                return self.answer(b"<ExceptionReport/>", "text/xml", status=400)
            zoom, column, row = int(values["TILEMATRIX"].split(":")[1]), int(values["TILECOL"]), int(values["TILEROW"])
            if row == 3:
                report = b'<ows:ExceptionReport><ows:Exception exceptionCode="TileOutOfRange"/></ows:ExceptionReport>'
                return self.answer(report, "text/xml", status=400)
            return self.answer(png(256, 256, color(zoom, column, row)))
        if len(parts) != 3:
            return self.answer(b"", status=404)
        zoom, column, row = int(parts[0]), int(parts[1]), int(parts[2].split(".")[0])
        tile = png(256, 256, color(zoom, column, row))
        if mode == "ok":
            self.answer(tile)
        elif mode == "together":  # waits until four requests are under way
            end = time.monotonic() + 60
            while most < 4 and time.monotonic() < end:
                time.sleep(0.01)
            self.answer(tile)
        elif mode == "missing":
            self.answer(b"none", "text/plain", status=404)
        elif mode == "empty-status":
            self.answer(b"", status=204)
        elif mode == "busy":  # one tile must wait
            if (column, row) == (1, 1) and self.is_first():
                self.answer(b"", status=429, Retry_After="1")
            else:
                self.answer(tile)
        elif mode == "error":
            self.answer(b"broken", "text/plain", status=500)
        elif mode == "error-once":
            if self.is_first():
                self.answer(b"broken", "text/plain", status=500)
            else:
                self.answer(tile)
        elif mode == "denied":
            self.answer(b"key?", "text/plain", status=403)
        elif mode == "slow":
            time.sleep(60)
            self.answer(tile)
        elif mode == "redirect":
            self.answer(b"", status=302, Location=self.path.replace("redirect", "ok"))
        elif mode == "loop":
            self.answer(b"", status=302, Location=self.path)
        elif mode == "wrong-size":
            self.answer(png(300, 300, color(zoom, column, row)))
        elif mode == "not-square":
            self.answer(png(256, 128, color(zoom, column, row)))
        elif mode == "double":
            self.answer(png(512, 512, color(zoom, column, row)))
        elif mode == "html":
            self.answer(b"<!DOCTYPE html><html><body>Please log in</body></html>")
        elif mode == "truncated":
            self.answer(tile[:-20])
        elif mode == "empty":
            self.answer(b"")
        elif mode == "huge":
            self.answer(png(1, 1, [0, 0, 0], (30000, 30000)))
        elif mode == "endless":
            self.send_response(200)
            self.end_headers()
            try:
                while True:
                    self.wfile.write(tile)
            except OSError:
                self.close_connection = True
        elif mode == "closed":
            self.close_connection = True
            self.connection.close()
        elif mode == "tagged":
            if self.headers.get("If-None-Match") == '"a"':
                self.answer(b"", status=304, ETag='"a"', Cache_Control="max-age=0")
            else:
                self.answer(tile, ETag='"a"', Cache_Control="max-age=0")
        elif mode == "not-kept":
            self.answer(tile, Cache_Control="no-store")
        elif mode == "keyed":
            is_right = query == "key=secret-0123456789"
            self.answer(tile if is_right else b"no", status=200 if is_right else 403)
        else:
            self.answer(b"", status=404)


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
server.daemon_threads = True
threading.Thread(target=server.serve_forever, daemon=True).start()
print(server.server_port, flush=True)
sys.stdin.read()

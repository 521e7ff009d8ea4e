"""A small ArcGIS portal, for tests: items, groups, a gallery of basemaps, and tokens.

  portal_server.py SERVICES

listens on a free port of 127.0.0.1, prints it, and ends when its standard input does. SERVICES is the address of a server
of the services that items name. The portal is below /portal. A token is valid for three requests. /log answers with the
requests as lines, and forgets them.
"""

import json
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, unquote, urlsplit

services = sys.argv[1]
lock = threading.Lock()
requests, uses = [], {}
USER, PASSWORD, CLIENT, SECRET = "anna", "planted-password-4711", "app", "planted-secret-4712"


def number(digit):
    return digit * 32


def renderer(color):
    symbol = {"type": "esriSMS", "style": "esriSMSCircle", "size": 8, "color": [*color, 255], "outline": None}
    return {"renderer": {"type": "simple", "symbol": symbol}}


SQUARE = {
    "layers": [{
        "layerDefinition": {
            "name": "square", "geometryType": "esriGeometryPolygon", "fields": [], "drawingInfo": {"renderer": {
                "type": "simple", "symbol": {"type": "esriSFS", "style": "esriSFSSolid", "color": [0, 255, 0, 255]}}}},
        "featureSet": {"geometryType": "esriGeometryPolygon", "features": [{"attributes": {}, "geometry": {
            "spatialReference": {"wkid": 4326}, "rings": [[[2, 42], [2, 46], [6, 46], [6, 42], [2, 42]]]}}]}}],
}
STYLE = {
    "version": 8, "center": [10, 48], "zoom": 4, "sources": {"own": {"type": "geojson", "data": "../square.geojson"}},
    "layers": [
        {"id": "ground", "type": "background", "paint": {"background-color": "#0000ff"}},
        {"id": "square", "type": "fill", "source": "own", "paint": {"fill-color": "#ff00ff"}},
    ],
}
GEOJSON = {"type": "Feature", "properties": {}, "geometry": {
    "type": "Polygon", "coordinates": [[[2, 42], [6, 42], [6, 46], [2, 46], [2, 42]]]}}


def layer(item, **members):
    return {"id": item, "title": item[:1], "itemId": item, **members}


def web_map(*layers, **members):
    return {"operationalLayers": list(layers), "baseMap": {"baseMapLayers": []}, "version": "2.31", **members}


CITIES = f"{services}/arcgis/rest/services/Cities/FeatureServer"
PLACES = f"{services}/arcgis/rest/services/Places/FeatureServer"
VIEW = [[0, 40], [20, 55]]
# The type, the members of the item, and its data.
ITEMS = {
    # The bottom layer is that of an item, and the group at the top contains one that does not exist.
    number("1"): ("Web Map", {"extent": VIEW}, web_map(
        layer(number("3"), type="Feature Collection"),
        layer(number("2"), layerType="ArcGISFeatureLayer"),
        {"id": "g", "title": "g", "layerType": "GroupLayer", "layers": [
            layer(number("0"), layerType="ArcGISFeatureLayer")]})),
    number("2"): ("Feature Service", {"url": CITIES}, {"layers": [
        {"id": 0, "layerDefinition": {"definitionExpression": "POP > 1000000", "drawingInfo": renderer([255, 0, 0])}}]}),
    number("3"): ("Feature Collection", {}, SQUARE),
    number("4"): ("Vector Tile Service", {"url": "/tiles/VectorTileServer"}, None),
    number("5"): ("Dashboard", {}, {}),
    number("6"): ("Group Layer", {}, {"layers": [layer(number("6"), layerType="GroupLayer"), layer(number("3"))]}),
    number("7"): ("CSV", {"name": "towns.csv"}, "name,lat,lon\nA,44,4\nB,45,5\n"),
    number("8"): ("Feature Service", {"url": PLACES}, None),
    number("9"): ("Web Map", {"extent": VIEW}, web_map(layer(number("2")), baseMap={"title": "Blue", "baseMapLayers": [
        {"id": "b", "layerType": "VectorTileLayer", "itemId": number("4")}]})),
    number("a"): ("Web Map", {"extent": VIEW}, web_map(layer(number("b")))),
    number("b"): ("Feature Service", {"url": f"{CITIES}/0"}, {}),
    number("c"): ("Web Map", {"extent": []}, {"layers": []}),
    number("d"): ("Web Map", {}, "<html><title>Sign in</title></html>"),
    # The features are those of an address relative to the portal.
    number("e"): ("Feature Service", {"url": "/moved/Cities/FeatureServer/0"}, None),
}
PRIVATE = {number("a"), number("b")}
TITLES = {number("9"): "Blue World", number("1"): "Cities and Squares", number("c"): "Empty"}


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def send(self, content, status=200, **fields):
        body = content.encode() if isinstance(content, str) else json.dumps(content).encode() if content is not None else b""
        self.send_response(status)
        for name, value in fields.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def error(self, code, message):
        self.send({"error": {"code": code, "message": message, "details": []}})

    def is_permitted(self):
        """Whether the request has a token that is valid; answers with an error if not."""
        given = (self.headers["X-Esri-Authorization"] or "").removeprefix("Bearer ")
        if not given:
            self.error(499, "Token Required.")
            return False
        with lock:
            left = uses.get(given, 0)
            uses[given] = left - 1
        if left <= 0 or "client" not in given and self.headers["Referer"] != f"http://{self.headers['Host']}/portal":
            self.error(498, f"Invalid token {given}.")
            return False
        return True

    def token(self, kind):
        with lock:
            token = f"planted-{kind}-token-{len(uses)}"
            uses[token] = 3
        return token

    def do_POST(self):
        form = dict(parse_qsl(self.rfile.read(int(self.headers["Content-Length"])).decode()))
        with lock:
            requests.append("POST " + self.path)
        if self.path == "/portal/sharing/rest/generateToken":
            if (form["username"], form["password"]) != (USER, PASSWORD):
                return self.error(400, f"Unable to generate token for {form['password']}.")
            return self.send({"token": self.token("user"), "expires": 4102444800000, "ssl": True})
        if self.path == "/portal/sharing/rest/oauth2/token":
            if (form["client_id"], form["client_secret"], form["grant_type"]) != (CLIENT, SECRET, "client_credentials"):
                return self.error(400, "Invalid client_id")
            return self.send({"access_token": self.token("client"), "expires_in": 3600})
        return self.send("", 404)

    def do_GET(self):
        parts = urlsplit(self.path)
        parameters = dict(parse_qsl(parts.query))
        if parts.path == "/log":
            with lock:
                lines = list(requests)
                requests.clear()
            return self.send("\n".join(lines))
        with lock:
            requests.append("GET " + self.path)
        if parts.path.startswith("/moved/"):
            return self.send("", 302, Location=f"{services}/arcgis/rest/services{parts.path[6:]}?{parts.query}")
        path = unquote(parts.path).removeprefix("/portal/sharing/rest/")
        steps = path.split("/")
        if path == "portals/self":
            return self.send({"basemapGalleryGroupQuery": 'title:"Basemaps" AND owner:anna'})
        if path == "community/groups":
            found = [{"id": number("f")}] if parameters["q"] == 'title:"Basemaps" AND owner:anna' else []
            return self.send({"total": len(found), "start": 1, "nextStart": -1, "results": found})
        if path == f"content/groups/{number('f')}/search":
            start, all_of = int(parameters["start"]), [self.item(item) for item in TITLES]
            page = all_of[start - 1:start + 1]
            following = start + len(page)
            return self.send({"total": len(all_of), "results": page,
                              "nextStart": following if following <= len(all_of) else -1})
        if steps[:2] == ["content", "items"] and len(steps) > 2:
            return self.content(steps[2], "/".join(steps[3:]))
        return self.send("none", 404)

    def item(self, item):
        kind, members, _ = ITEMS[item]
        return {"id": item, "owner": "anna", "type": kind, "title": TITLES.get(item, f"item {item[0]}"), **members}

    def content(self, item, rest):
        if item not in ITEMS:
            return self.error(400, "Item does not exist or is inaccessible.")
        if item in PRIVATE and not self.is_permitted():
            return None
        if rest == "":
            return self.send(self.item(item))
        if rest == "data":
            return self.send(ITEMS[item][2])
        if item == number("4") and rest == "resources/styles/root.json":
            return self.send(STYLE)
        if item == number("4") and rest == "resources/square.geojson":
            return self.send(GEOJSON)
        return self.error(404, "Not found.")


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(server.server_address[1], flush=True)
threading.Thread(target=server.serve_forever, daemon=True).start()
sys.stdin.read()

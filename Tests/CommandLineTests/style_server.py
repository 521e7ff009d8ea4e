"""A server of the files in a folder that misbehaves as the first part of its paths says; prints its port, ends when
standard input does.

The path /MODE/NAME answers with the file NAME, or with NAME/index.json of a folder. /log answers with the number of
requests, the bytes of bodies, the paths and the largest number of requests at once, and forgets them.
"""

import gzip
import json
import os
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

folder = sys.argv[1]
lock = threading.Lock()
paths = []
sent = busy = most = 0
changes = {}


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def answer(self, body, status=200, stated=None, **fields):
        global sent
        self.send_response(status)
        for name, value in fields.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(body) if stated is None else stated))
        self.end_headers()
        for start in range(0, len(body), 1 << 16):
            piece = body[start:start + (1 << 16)]
            try:
                self.wfile.write(piece)
            except OSError:
                self.close_connection = True
                return
            with lock:
                sent += len(piece)

    def do_GET(self):
        global busy, most, sent
        if self.path == "/log":
            with lock:
                body = json.dumps({"paths": paths, "sent": sent, "most": most}).encode()
                paths.clear()
                most = sent = 0
            return self.answer(body)
        with lock:
            paths.append(self.path + (" " + self.headers["Range"] if self.headers["Range"] else ""))
            busy += 1
            most = max(most, busy)
        try:
            time.sleep(0.01)
            self.act()
        finally:
            with lock:
                busy -= 1

    def act(self):
        path, _, query = self.path.partition("?")
        mode, _, name = path.strip("/").partition("/")
        place = os.path.join(folder, name.replace("%20", " "))
        if os.path.isdir(place):
            place += "/index.json"
        if mode == "keyed":
            if query != "key=secret-0123456789":
                return self.answer(b"key?", 403)
            mode = "plain"
        if not os.path.isfile(place):
            return self.answer(b"none", 404)
        with open(place, "rb") as file:
            body = file.read()
        asked = self.headers["Range"]
        if mode == "html":
            return self.answer(b"<!DOCTYPE html><html><body>Please log in</body></html>")
        if mode == "moved":
            return self.answer(b"", 302, Location=f"http://127.0.0.1:{self.server.server_port + 1}/plain/{name}")
        if mode == "here":
            return self.answer(b"", 302, Location=f"/plain/{name}")
        if mode == "bomb":
            return self.answer(gzip.compress(bytes(300_000_000)), 206 if asked else 200, Content_Encoding="gzip",
                               Content_Range=f"bytes 0-16383/{len(body)}")
        if mode == "endless":
            self.send_response(206 if asked else 200)
            self.send_header("Content-Range", f"bytes 0-16383/{len(body)}")
            self.end_headers()
            self.close_connection = True
            try:
                while True:
                    self.wfile.write(bytes(1000))
            except OSError:
                return None
        if mode == "whole" and asked:
            return self.answer(body + bytes(64 << 20))
        if not asked:
            return self.answer(body)
        first, last = (int(number) for number in asked.removeprefix("bytes=").split("-"))
        if first >= len(body):
            return self.answer(b"", 416)
        part = body[first:last + 1]
        last = first + len(part) - 1
        field = f"bytes {first}-{last}/{len(body)}"
        with lock:
            changes[name, mode] = count = changes.get((name, mode), 0) + 1
        tag = {"changing": '"old"' if count < 2 else '"new"', "restless": f'"{count}"'}.get(mode, '"one"')
        if mode == "unnamed":
            return self.answer(part, 206, Content_Range=field)
        if mode == "short":
            self.answer(part[:-10], 206, stated=len(part), Content_Range=field, ETag=tag)
            self.close_connection = True
            return self.connection.close()
        if mode == "less":
            return self.answer(part[:-10], 206, Content_Range=field, ETag=tag)
        if mode == "wrong":
            return self.answer(part, 206, Content_Range=f"bytes {first + 1}-{last + 1}/{len(body) + 2}", ETag=tag)
        if mode == "unstated":
            return self.answer(part, 206, ETag=tag)
        if self.headers.get("If-None-Match") == tag:
            return self.answer(b"", 304, ETag=tag)
        return self.answer(part, 206, Content_Range=field, ETag=tag)


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
server.daemon_threads = True
threading.Thread(target=server.serve_forever, daemon=True).start()
print(server.server_port, flush=True)
sys.stdin.read()

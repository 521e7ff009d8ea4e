"""Serves the files of a folder by byte ranges, and misbehaves as the first part of a path says.

Prints its port, ends when standard input does. /log gives the requests so far, and forgets them. /MODE/maps is the bucket
of an S3 server, and the container of Azure, with the files of the folder. Its lists have two objects a page.
"""

import json
import mmap
import os
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, quote, unquote, urlsplit

folder = sys.argv[1]
delay = float(sys.argv[2]) if len(sys.argv) > 2 else 0
lock = threading.Lock()
log, turns = [], {}


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def log_message(self, *_):
        pass

    def note(self, sent):
        with lock:
            log.append({"path": self.path, "range": self.headers.get("Range"), "sent": sent,
                        "header": {k.lower(): v for k, v in self.headers.items()}})

    def answer(self, status, body, length=None, **fields):
        self.note(len(body) if self.command != "HEAD" else 0)
        self.send_response(status)
        for name, value in fields.items():
            if value is not None:
                self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(body) if length is None else length))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)
        if length is not None and length != len(body):
            self.close_connection = True

    def keys(self, query):
        keys = sorted(os.path.relpath(os.path.join(top, name), folder) for top, _, names in os.walk(folder) for name in names)
        return [key for key in keys if key.startswith(query["prefix"][0])]

    def list_blobs(self, mode, query):
        """Answers as Azure does."""
        keys, first = self.keys(query), int(query.get("marker", ["0"])[0])
        items = "".join(
            f"<Blob><Name>{key}</Name><Properties><Content-Length>{os.path.getsize(os.path.join(folder, key))}</Content-Length>"
            "<Etag>v1</Etag></Properties></Blob>" for key in keys[first : first + 2])
        marker = "" if first + 2 >= len(keys) else 0 if mode == "repeated" else first + 2
        body = (f'\ufeff<?xml version="1.0" encoding="utf-8"?><EnumerationResults><Blobs>{items}</Blobs>'
                f"<NextMarker>{marker}</NextMarker></EnumerationResults>")
        self.answer(200, body.encode() if mode != "unlisted" else b"<a/>", Content_Type="application/xml")

    def list(self, mode, query):
        keys, first = self.keys(query), int(query.get("continuation-token", ["0"])[0])
        items = "".join(
            f"<Contents><Key>{quote(key)}</Key><ETag>&quot;v1&quot;</ETag>"
            f"<Size>{os.path.getsize(os.path.join(folder, key))}</Size></Contents>" for key in keys[first : first + 2])
        more = first + 2 < len(keys)
        token = f"<NextContinuationToken>{0 if mode == 'repeated' else first + 2}</NextContinuationToken>"
        body = (f'<?xml version="1.0"?><ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">'
                f"<EncodingType>url</EncodingType>{token if more else ''}{items}</ListBucketResult>")
        self.answer(200, body.encode() if mode != "unlisted" else b"<a/>", Content_Type="application/xml")

    def do_GET(self):
        path = unquote(urlsplit(self.path).path)
        if path == "/log":
            with lock:
                body = json.dumps(log).encode()
                log.clear()
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            return self.wfile.write(body)
        _, mode, name = path.split("/", 2)
        with lock:
            turn = turns[path] = turns.get(path, 0) + 1
        if delay:
            time.sleep(delay)
        if mode == "loop":
            return self.answer(302, b"", Location=self.path)
        if mode == "moved":
            return self.answer(302, b"", Location="/ranges/" + name)
        if mode == "expiring":  # each address of the file serves two requests
            return self.answer(302, b"", Location=f"/signed-{turn}/{name}")
        if mode.startswith("signed-") and turn > 2:
            return self.answer(403, b"")
        if mode == "page":
            return self.answer(200, b"<html>log in</html>", Content_Type="text/html; charset=utf-8")
        if mode == "denied":
            told = self.headers.get("Authorization", "") + self.headers.get("X-Amz-Security-Token", "")
            body = f"<Error><Code>AccessDenied</Code><Message>{told}</Message></Error>".encode()
            return self.answer(403, body, Content_Type="application/xml")
        if mode == "region":
            return self.answer(301, b"<Error><Code>PermanentRedirect</Code></Error>", x_amz_bucket_region="eu-west-1")
        query = parse_qs(urlsplit(self.path).query)
        if "list-type" in query:
            return self.list(mode, query)
        if query.get("comp") == ["list"]:
            return self.list_blobs(mode, query)
        file = os.path.join(folder, name.removeprefix("maps/"))
        if ".." in name or not os.path.isfile(file):
            return self.answer(404, b"")
        with open(file, "rb") as stream:
            # Large files are read only in part.
            size = os.fstat(stream.fileno()).st_size
            data = mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ) if size else b""
        tag = '"v1"'
        if mode == "slow":
            time.sleep(300)
        if mode == "changing" and turn > 1:  # another version from the second request on
            tag, data = '"v2"', data[:-1] + b"x"
        if mode == "once" and turn == 2:  # another version in the second request only
            tag = '"v0"'
        if mode == "shrinking" and turn > 1:
            data = data[: len(data) // 2]
        if mode in ("untagged", "shrinking"):
            tag = None
        kept = self.headers.get("If-None-Match")
        if kept and kept == tag:
            return self.answer(304, b"", ETag=tag)
        asked = self.headers.get("Range")
        if mode == "trickling":  # half of the file, and then nothing for long
            self.send_response(200)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data[: len(data) // 2])
            return time.sleep(300)
        if asked is None or mode == "whole":
            return self.answer(200, data, ETag=tag)
        first, last = asked.split("=")[1].split("-")
        if not first:  # the last bytes
            if mode == "azure":
                return self.answer(200, data, ETag=tag)
            if mode == "refusing":
                return self.answer(400, b"")
            first, last = max(0, len(data) - int(last)), len(data)
            if mode == "reversed":
                first, last = 0, len(data) - first
        first, last = int(first), min(int(last), len(data) - 1)
        if first >= len(data):
            return self.answer(416, b"", Content_Range=f"bytes */{len(data)}")
        body, size = data[first : last + 1], len(data)
        if mode == "huge":
            size = 10**18
        if mode == "star":
            size = "*"
        place = f"bytes {first}-{last}/{size}"
        if mode == "shifted" and turn > 1:
            place = f"bytes {first + 1}-{last + 1}/{size}"
        if mode == "unplaced":
            place = None
        if mode == "late" and turn > 1:  # the whole file in place of a part
            return self.answer(200, data, ETag=tag)
        if mode == "short" and turn > 1:
            return self.answer(206, body[:-1], len(body), ETag=tag, Content_Range=place)
        if mode == "lying" and turn > 1:
            return self.answer(206, body[:-1], ETag=tag, Content_Range=place)
        if mode == "long" and turn > 1:
            return self.answer(206, body + b"more", ETag=tag, Content_Range=place)
        if mode == "broken" and turn > 1:
            return self.answer(500, b"")
        self.answer(206, body, ETag=tag, Content_Range=place)

    do_HEAD = do_GET


class Server(ThreadingHTTPServer):
    def handle_error(self, request, client_address):
        # A client that asked for a part ends the connection when the whole file comes.
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)


server = Server(("127.0.0.1", 0), Handler)
server.daemon_threads = True
threading.Thread(target=server.serve_forever, daemon=True).start()
print(server.server_address[1], flush=True)
sys.stdin.read()

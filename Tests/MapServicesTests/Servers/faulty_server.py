"""An HTTP server that misbehaves as its paths say; prints its port, ends when standard input does.

With a file of key and certificate as argument it speaks TLS.

Written on sockets, since libraries for servers do not let one lie.
"""

import gzip
import json
import socket
import ssl
import struct
import sys
import threading
import time
from urllib.parse import parse_qs, unquote, urlsplit

PLAIN = b'{"ok":true}'
lock = threading.Lock()
seen = {}  # how often each key of /flaky was asked
busy = most = 0


def bomb(size):
    """A gzip of zeros, a thousandth of what it unpacks to."""
    piece = gzip.compress(bytes(1 << 20), 9)
    return piece * (size >> 20)


BOMB = bomb(64 << 20)  # 998:1
ZEROS = gzip.compress(bytes(8 << 20), 9)  # 1029:1


class End(Exception):
    """The connection is closed."""


class Connection:
    def __init__(self, peer):
        self.peer = peer
        self.file = peer.makefile("rb")

    def send(self, data):
        self.peer.sendall(data)

    def head(self, *fields, status="200 OK"):
        self.send(f"HTTP/1.1 {status}\r\n{''.join(f + chr(13) + chr(10) for f in fields)}\r\n".encode())

    def answer(self, body, *fields, status="200 OK"):
        head = f"HTTP/1.1 {status}\r\n{''.join(f + chr(13) + chr(10) for f in fields)}Content-Length: {len(body)}\r\n\r\n"
        self.send(head.encode() + body)

    def reset(self):
        """Ends with RST and not FIN."""
        time.sleep(0.05)
        self.peer.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        raise End

    def serve(self):
        global busy, most
        while line := self.file.readline():
            method, target, _ = line.decode("latin-1").split(" ", 2)
            header = {}
            while (line := self.file.readline()) not in (b"\r\n", b""):
                name, _, value = line.decode("latin-1").partition(":")
                header[name.lower()] = value.strip()
            body = self.file.read(int(header.get("content-length", 0)))
            with lock:
                busy += 1
                most = max(most, busy)
            try:
                self.act(method, urlsplit(target), header, body)
            finally:
                with lock:
                    busy -= 1

    def act(self, method, address, header, body):
        name, *rest = address.path.strip("/").split("/")
        query = parse_qs(address.query)
        packed = gzip.compress(bytes(range(256)) * 100)
        if name == "plain":
            self.answer(PLAIN)
        elif name == "size":
            self.answer(b"x" * int(rest[0]))
        elif name == "wait":
            time.sleep(int(rest[0]) / 1000)
            self.answer(PLAIN)
        elif name == "most":
            self.answer(str(most).encode())
        elif name == "times":
            self.answer(str(seen.get(rest[0], 0)).encode())
        elif name == "gzip":
            self.answer(packed, "Content-Encoding: gzip")
        elif name == "gzip-two":
            self.answer(gzip.compress(b"one ") + gzip.compress(b"two"), "Content-Encoding: gzip")
        elif name == "echo":
            told = {"method": method, "target": address.geturl(), "header": header, "body": body.decode("latin-1")}
            self.answer(json.dumps(told).encode(), "Content-Type: application/json", f"X-Echo: {address.query}")
        elif name == "status":
            self.answer(PLAIN, status=f"{rest[0]} Said")
        elif name == "silent":
            time.sleep(300)
        elif name == "slow-header":
            self.send(b"HTTP/1.1 200 OK\r\n")
            time.sleep(300)
        elif name == "drip":
            self.head("Content-Length: 1000000")
            while True:
                self.send(b"x")
                time.sleep(0.02)
        elif name == "reset":
            self.reset()
        elif name == "reset-body":
            self.head("Content-Length: 1000")
            self.send(b"x" * 100)
            self.reset()
        elif name == "close":
            raise End
        elif name == "too-long":
            self.head("Content-Length: 1000")
            self.send(b"x" * 100)
            raise End
        elif name == "too-short":
            self.head("Content-Length: 5")
            self.send(b"0123456789")
            raise End
        elif name == "too-short-kept":  # the rest comes late, and the connection stays
            self.head("Content-Length: 5")
            self.send(b"01234")
            time.sleep(0.001)
            self.send(b"56789 and more than that")
        elif name == "garbage":
            self.send(b"\x00\x01\x02 this is no HTTP\r\n\r\n")
            raise End
        elif name == "endless":
            self.head("Content-Type: text/plain")
            while True:
                self.send(b"x" * 65536)
        elif name == "endless-extension":
            self.send(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;")
            while True:
                self.send(b"x" * 65536)
        elif name == "announced":
            self.head("Content-Length: 1000000000000")
            time.sleep(300)
        elif name == "endless-header":
            self.send(b"HTTP/1.1 200 OK\r\n")
            while True:
                self.send(b"X-More: " + b"y" * 1000 + b"\r\n")
        elif name == "endless-line":
            self.send(b"HTTP/1.1 200 OK\r\nX-More: ")
            while True:
                self.send(b"y" * 65536)
        elif name == "endless-preliminary":
            while True:
                self.send(b"HTTP/1.1 100 Continue\r\n\r\n" * 1000)
        elif name == "bomb":
            self.answer(BOMB, "Content-Encoding: gzip")
        elif name == "gzip-zeros":
            self.answer(ZEROS, "Content-Encoding: gzip")
        elif name == "gzip-broken":
            self.answer(packed[:60] + b"\xff" * 40 + packed[100:], "Content-Encoding: gzip")
        elif name == "gzip-sum":
            self.answer(packed[:-8] + b"\0" * 8, "Content-Encoding: gzip")
        elif name == "gzip-cut":
            self.answer(packed[:-20], "Content-Encoding: gzip")
        elif name == "gzip-plain":
            self.answer(PLAIN, "Content-Encoding: gzip")
        elif name == "brotli":
            self.answer(PLAIN, "Content-Encoding: br")
        elif name == "chunk-cut":
            self.head("Transfer-Encoding: chunked")
            self.send(b"10\r\n0123456789abcdef\r\n")
            raise End
        elif name == "chunk-bad":
            self.head("Transfer-Encoding: chunked")
            self.send(b"zz\r\n0123456789abcdef\r\n0\r\n\r\n")
        elif name == "flaky":  # /flaky/KEY/TIMES/STATUS
            key, times, status = rest
            with lock:
                seen[key] = seen.get(key, 0) + 1
                fails = seen[key] <= int(times)
            after = [f"Retry-After: {text}" for text in query.get("after", [])]
            if fails and status == "close":
                raise End
            self.answer(PLAIN, *after, status=f"{status} Said" if fails else "200 OK")
        elif name == "number":  # another answer each time
            with lock:
                seen[rest[0]] = seen.get(rest[0], 0) + 1
                text = str(seen[rest[0]])
            self.answer(text.encode())
        elif name == "to":  # /to/STATUS?place=URL
            self.answer(b"", f"Location: {query['place'][0]}", status=f"{rest[0]} Said")
        elif name == "loop":
            self.answer(b"", "Location: /loop", status="302 Found")
        else:
            self.answer(PLAIN, status="404 Not Found")


def handle(peer):
    try:
        connection = Connection(context.wrap_socket(peer, server_side=True) if context else peer)
    except OSError:
        return peer.close()
    try:
        connection.peer.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        connection.serve()
    except (End, OSError, ValueError):
        pass
    finally:
        connection.file.close()
        connection.peer.close()


def listen(listener):
    while True:
        peer, _ = listener.accept()
        threading.Thread(target=handle, args=(peer,), daemon=True).start()


context = None
if len(sys.argv) > 1:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(sys.argv[1])
listener = socket.create_server(("127.0.0.1", 0), backlog=512)
threading.Thread(target=listen, args=(listener,), daemon=True).start()
print(listener.getsockname()[1], flush=True)
sys.stdin.read()

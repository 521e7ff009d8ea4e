"""A server that speaks as much of PostgreSQL's protocol as a client needs for a question, and never ends its answer.

endless_server.py rows|row|columns    sends rows without end, or one row or one description of columns without end

Prints its port, and ends with its standard input.

Source: PostgreSQL 15, 55.7, "Message Formats".
"""
import contextlib
import os
import socket
import struct
import sys
import threading


def message(kind, body):
    return kind + struct.pack("!i", len(body) + 4) + body


def serve(client, mode):
    with contextlib.suppress(OSError):
        answer(client, mode)


def answer(client, mode):
    while True:
        size, code = struct.unpack("!ii", client.recv(8, socket.MSG_WAITALL))
        client.recv(size - 8, socket.MSG_WAITALL)
        if code not in (80877103, 80877104):
            break
        client.sendall(b"N")  # no encryption
    client.sendall(
        message(b"R", struct.pack("!i", 0)) + message(b"S", b"server_version\x0015.0\x00")
        + message(b"Z", b"I"))
    client.recv(1 << 16)
    columns = message(b"T", struct.pack("!h", 1) + b"a\x00" + struct.pack("!ihihih", 0, 0, 25, -1, -1, 0))
    start = message(b"1", b"") + message(b"2", b"")
    if mode == "rows":
        client.sendall(start + columns)
        rows = message(b"D", struct.pack("!hi", 1, 100) + b"x" * 100) * 500
        while True:
            client.sendall(rows)
    kind = b"D" if mode == "row" else b"T"
    client.sendall(start + (columns if mode == "row" else b"") + kind + struct.pack("!i", 1 << 30))
    while True:
        client.sendall(b"x" * 65536)


def accept(listener):
    while True:
        client, _ = listener.accept()
        threading.Thread(target=serve, args=(client, sys.argv[1]), daemon=True).start()


listener = socket.create_server(("127.0.0.1", 0))
print(listener.getsockname()[1], flush=True)
threading.Thread(target=accept, args=(listener,), daemon=True).start()
sys.stdin.read()
os._exit(0)

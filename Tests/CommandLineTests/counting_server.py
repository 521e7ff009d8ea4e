"""Counts connections in a file, one byte each, and answers 404, or redirects to a second argument; prints its port."""

import http.server
import sys
import threading

counts, *location = sys.argv[1:]


class Handler(http.server.BaseHTTPRequestHandler):
    def setup(self):
        with open(counts, "ab") as file:
            file.write(b".")
        super().setup()

    def do_GET(self):
        self.send_response(302 if location else 404)
        if location:
            self.send_header("Location", location[0])
        self.send_header("Content-Length", "0")
        self.end_headers()

    do_POST = do_GET

    def log_message(self, *arguments):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(server.server_port, flush=True)
threading.Thread(target=server.serve_forever, daemon=True).start()
sys.stdin.read()

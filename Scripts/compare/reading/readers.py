"""readers.py FOLDER: compares the pixels that libpng, Pillow and Chromium read from every PNG below the folder.

Exits with 1 when they differ.
"""
import http.server
import json
import pathlib
import subprocess
import sys
import tempfile
import threading

from PIL import Image

FOLDER = pathlib.Path(sys.argv[1])
FILES = sorted(str(path.relative_to(FOLDER)) for path in FOLDER.rglob("*.png"))
# The page sends back each decoded image: its size, then its pixels.
PAGE = """<script>
(async () => {
  for (const name of FILES) {
    let body;
    try {
      const data = await (await fetch("/" + name)).arrayBuffer();
      const decoder = new ImageDecoder(
        {data, type: "image/png", premultiplyAlpha: "none", colorSpaceConversion: "none"});
      const frame = (await decoder.decode()).image;
      body = new Uint8Array(8 + frame.codedWidth * frame.codedHeight * 4);
      new DataView(body.buffer).setUint32(0, frame.codedWidth);
      new DataView(body.buffer).setUint32(4, frame.codedHeight);
      await frame.copyTo(body.subarray(8), {format: "RGBA"});
      frame.close();
    } catch (error) { body = String(error); }
    await fetch("/" + name, {method: "POST", body});
  }
})();
</script>""".replace("FILES", json.dumps(FILES))


def pillow(name):
    with Image.open(FOLDER / name) as picture:
        return *picture.size, picture.convert("RGBA").tobytes()


def libpng(name, scratch):
    """Returns width, height and RGBA bytes as GDAL's PNG driver reads them."""
    subprocess.run(["gdal_translate", "-q", "-of", "ENVI", "-co", "INTERLEAVE=BIP", FOLDER / name, f"{scratch}/raw"], check=True)
    header = dict(line.split(" = ") for line in open(f"{scratch}/raw.hdr").read().splitlines() if " = " in line)
    width, height, bands = (int(header[key.ljust(7)]) for key in ("samples", "lines", "bands"))
    raw = open(f"{scratch}/raw", "rb").read()
    if bands == 3:
        pixels = bytearray(b"\xff" * (width * height * 4))
        for band in range(3):
            pixels[band::4] = raw[band::3]
        raw = bytes(pixels)
    return width, height, raw


def chromium(scratch):
    seen, done = {}, threading.Event()

    class Handler(http.server.SimpleHTTPRequestHandler):
        def __init__(self, *arguments):
            super().__init__(*arguments, directory=str(FOLDER))

        def do_GET(self):
            if self.path != "/":
                return super().do_GET()
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(PAGE.encode())

        def do_POST(self):
            body = self.rfile.read(int(self.headers["Content-Length"]))
            seen[self.path[1:]] = (int.from_bytes(body[:4], "big"), int.from_bytes(body[4:8], "big"), body[8:])
            self.send_response(204)
            self.end_headers()
            if len(seen) == len(FILES):
                done.set()

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    # Chromium's sandbox needs a user other than root; the pages come from this script.
    browser = subprocess.Popen(
        ["chromium", "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={scratch}/profile",
         f"http://127.0.0.1:{server.server_port}/"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    is_done = done.wait(300)
    browser.terminate()
    browser.wait()
    server.shutdown()
    if not is_done:
        sys.exit(f"error: Chromium read {len(seen)} of {len(FILES)} images in five minutes")
    return seen


def is_same(picture, other):
    """Returns whether two images are equal, within the rounding of a browser that premultiplies colours by alpha."""
    if picture == other:
        return True
    if picture[:2] != other[:2] or len(picture[2]) != len(other[2]) or picture[2][3::4] != other[2][3::4]:
        return False
    alphas = picture[2][3::4]
    return all(
        abs(picture[2][at] - other[2][at]) * alphas[at // 4] <= 255
        for at in range(len(picture[2])) if picture[2][at] != other[2][at])


with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as scratch:
    seen = chromium(scratch)
    differing, clear = 0, 0
    for name in FILES:
        own = pillow(name)
        clear += own[2][3::4].strip(b"\xff") != b""
        readers = {"libpng": libpng(name, scratch) == own, "Chromium": is_same(own, seen[name])}
        if not all(readers.values()):
            differing += 1
            print(f"{name}: read differently from Pillow by", *(reader for reader, same in readers.items() if not same))
    kinds = len({picture[:2] for picture in seen.values()})
    print(f"{len(FILES)} images of {kinds} sizes, {clear} not opaque; read alike by libpng, Pillow and Chromium: {len(FILES) - differing}")
    if differing or len(FILES) < 150 or kinds < 10 or clear < 2:
        sys.exit("error: readers differ, or too few images were read")

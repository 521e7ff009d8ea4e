"""Draws the style of V1 with MapLibre Native (package pymgl): maplibre.py FOLDER RUNS; prints JSON lines as peers.py does.

It needs a screen: xvfb-run. Each process draws one zoom; the first image is timed with the start of the process.
"""
import json
import pathlib
import statistics
import subprocess
import sys
import time

FOLDER, RUNS = pathlib.Path(sys.argv[1]), int(sys.argv[2])
ARCHIVE = FOLDER / "helsinki.mbtiles"


def emit(what, times):
    print(json.dumps({"peer": "MapLibre Native", "wl": "V1", "what": what, "min": min(times),
                      "med": statistics.median(times)}), flush=True)


def draw(zoom, runs):
    """Draws an image, then more of the open map, each a little beside the last; prints their times in milliseconds."""
    import pymgl
    style = json.loads((FOLDER / "helsinki.style.json").read_text())
    style["sources"]["openmaptiles"]["url"] = f"mbtiles://{ARCHIVE}"
    shown = pymgl.Map(json.dumps(style), 800, 600, 1, 24.945, 60.1675, zoom)
    (FOLDER / "maplibre.png").write_bytes(shown.renderPNG())
    times = []
    for run in range(runs + 1):
        start = time.perf_counter()
        shown.setCenter(24.945 + 1e-5 * (run + 1), 60.1675)
        shown.renderPNG()
        times.append((time.perf_counter() - start) * 1e3)
    print(json.dumps(times[1:]))


def process(zoom, runs):
    """Runs `draw` in a process of its own; returns the time of the process and those that it prints.

    OpenGL without a graphics card sometimes fails to start.
    """
    for attempt in range(5):
        start = time.perf_counter()
        is_last = attempt == 4
        done = subprocess.run([sys.executable, __file__, str(FOLDER), str(runs), str(zoom)], stdout=subprocess.PIPE,
                              stderr=None if is_last else subprocess.DEVNULL, text=True, check=is_last)
        if done.returncode == 0:
            return (time.perf_counter() - start) * 1e3, json.loads(done.stdout.splitlines()[-1])
    return None


def main():
    if not ARCHIVE.exists():
        from pmtiles.convert import pmtiles_to_mbtiles
        pmtiles_to_mbtiles(str(FOLDER / "helsinki.pmtiles"), str(ARCHIVE))
    for zoom in (12, 14, 16):
        emit(f"next image at zoom {zoom}", process(zoom, RUNS)[1])
        emit(f"first image at zoom {zoom}", [process(zoom, -1)[0] for _ in range(RUNS)])


if len(sys.argv) > 3:
    draw(float(sys.argv[3]), RUNS)
else:
    main()

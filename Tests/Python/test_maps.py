"""Maps of several sources, their files, notebooks, accessors, tasks and processes."""

import asyncio
import multiprocessing
import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import geopandas
import pandas
import pyarrow
import pytest
import shapely

import mapstate as ms

pytestmark = pytest.mark.filterwarnings("ignore::mapstate.MapStateWarning")
TOP = Path(__file__).parents[2]
CITIES = str(TOP / "Styles/world-cities.json")
COUNTIES = str(TOP / "Styles/us-counties.json")
STATES = TOP / "Styles/data/us-states.geojson"
TOOL = os.environ["MAPSTATE"]


def points(number=5, **columns):
    return pandas.DataFrame({"n": range(number), "longitude": range(number), "latitude": range(number), **columns})


def pixel(image, x, y):
    """Returns the colour of a pixel, read by another program than ours."""
    import io

    import matplotlib.image

    return tuple(round(255 * part) for part in matplotlib.image.imread(io.BytesIO(image.png))[y, x][:3])


def test_data_of_all_kinds_are_on_one_map(tmp_path):
    polars, duckdb = pytest.importorskip("polars"), pytest.importorskip("duckdb")
    frame = points()
    places = geopandas.GeoDataFrame(frame, geometry=geopandas.points_from_xy(frame.longitude, frame.latitude), crs=4326)
    path = tmp_path / "file.csv"
    frame.to_csv(path, index=False)
    sources = {
        "pandas": frame, "geopandas": places, "projected": places.to_crs(3857), "series": places.geometry,
        "pyarrow": pyarrow.Table.from_pandas(frame), "polars": polars.from_pandas(frame),
        "lazy": polars.from_pandas(frame).lazy(), "file": path, "text": str(path),
        "duckdb": duckdb.sql("select n, longitude, latitude from frame"),
        "geojson": places.__geo_interface__, "geometries": list(places.geometry),
        "reader": pyarrow.Table.from_pandas(frame).to_reader(),
    }
    with ms.Map(size=(200, 200)) as m:
        for name, source in sources.items():
            assert m.add(source, title=name) is m
        assert list(m.layers) == list(sources) and len(sources) == 13
        assert m.counts(everywhere=True) == {name: 5 for name in sources}
        assert {layer.geometry_type for layer in m.layers.values()} == {"point"}


def test_later_additions_are_above_and_the_view_shows_all():
    square = shapely.box(-10, -10, 10, 10)
    with ms.Map(size=(101, 101), no_basemap=True) as m:
        m.add(square, title="red", symbol="red")
        scale = m.ask("zoom", by=1)["scale"]
        assert pixel(m.render(), 50, 50) == (255, 0, 0)
    with ms.Map(size=(101, 101)) as m:
        m.add(square, title="red", symbol="red").add(shapely.box(-5, -5, 5, 5), title="blue", symbol="blue")
        assert pixel(m.render(), 50, 50) == (0, 0, 255) and pixel(m.render(), 20, 50) == (255, 0, 0)
        m.add(shapely.box(100, -5, 120, 5), title="far", symbol="lime")
        assert m.count("far") == 1 and m.count("red") == 1
        assert m.ask("zoom", by=1)["scale"] > scale
        m.set_view(bounds=(-10, -10, 10, 10))
        m.add(shapely.box(-170, -5, -150, 5), title="farther")
        assert m.count("farther") == 0 and m.count("farther", everywhere=True) == 1


def test_styles_and_conditions_of_an_addition():
    with ms.Map(size=(300, 300)) as m:
        m.add(points(10), title="a", color_by="n", classes=3, ramp="viridis", where="n >= 4", label="n")
        assert m.count("a", everywhere=True) == 6
        assert m.layers["a"].definition_expression == "n >= 4"
        assert len([name for name in m.count_by_class("a", everywhere=True)]) >= 3
        m.layers["a"].definition_expression = None
        assert m.layers["a"].definition_expression == "" and m.count("a", everywhere=True) == 10
        m.layers["a"].display_filter = "n = 1"
        assert m.layers["a"].display_filter == "n = 1"
        m.add(points(3), title="b", size_by="n")
        assert m.layers["a"].display_filter == "n = 1"
        m.layers["a"].display_filter = None
        assert m.layers["a"].display_filter == ""
        for options, error in [
            ({"color_by": "m"}, ms.InputError), ({"where": "m = 1"}, ms.InputError), ({"symbol": "redd"}, ms.UsageError),
            ({"symbol": {"type": "esriSFS"}}, ms.InputError), ({"colour_by": "n"}, ms.UsageError),
        ]:
            with pytest.raises(error):
                m.add(points(3), **options)
        assert list(m.layers) == ["a", "b"]


def test_the_layers_of_a_web_map_are_added():
    import json

    with ms.Map(size=(300, 200)) as m:
        m.add(points(3), title="mine")
        m.add(COUNTIES, title="US", color_by="Counties: unemployment_rate", ramp="#ffffff-#ff0000", edges="lower", breaks=[8, 11])
        assert list(m.layers) == ["mine", "US: States", "US: Counties"]
        assert m.count("US: Counties", everywhere=True) == 437
        classes = m.count_by_class("US: Counties", everywhere=True)
        assert sum(classes.values()) == 437 and len([count for count in classes.values() if count]) == 3, classes
        before = m.render().png
        m.add(json.loads('{"operationalLayers": [{"id": "p", "title": "P", "layerType": "ArcGISFeatureLayer", "featureCollection": '
            '{"layers": [{"layerDefinition": {"geometryType": "esriGeometryPoint", "fields": []}, "featureSet": {"features": '
            '[{"geometry": {"x": -100, "y": 40, "spatialReference": {"wkid": 4326}}, "attributes": {}}]}}]}}]}'), symbol="P: blue")
        assert list(m.layers)[3:] == ["P"] and m.count("P", everywhere=True) == 1
        assert m.render().png != before
        m.add(COUNTIES, title="US")
        assert len(m.layers) == 6 and m.count(4, everywhere=True) == 51
        with pytest.raises(ms.UsageError, match="several layers have the title"):
            m.count("US: States")
        with pytest.raises(ms.InputError) as found:
            m.add(COUNTIES, color_by="Countis: unemployment_rate")
        assert found.value.suggestion == "Counties"
        assert len(m.layers) == 6


def test_layers_of_a_web_map_have_styles_of_options():
    options = {"size": (300, 200), "legend": True}
    images = [ms.render(COUNTIES, **options, **more).png for more in (
        {}, {"color_by": "Counties: unemployment_rate"},
        {"color_by": "unemployment_rate", "layer": "Counties", "ramp": "OrRd_r"},
        {"color_by": ["Counties: unemployment_rate", "States: NAME"], "ramp": "Counties: #ffffff-#ff0000"},
        {"symbol": ["States: red", "Counties: blue"]}, {"colors": "Counties: red,orange,yellow,lime,green,blue,navy"},
    )]
    assert len(set(images)) == 6
    with pytest.raises(ms.UsageError, match='color_by: write "NAME: FIELD" or name a layer with layer'):
        ms.render(COUNTIES, color_by="unemployment_rate")


def test_mixed_geometries_are_layers_of_their_kinds():
    shapes = [shapely.Point(1, 1), shapely.LineString([(0, 0), (3, 3)]), shapely.box(4, 4, 6, 6)]
    frame = geopandas.GeoDataFrame({"n": [1, 2, 3]}, geometry=shapes, crs=4326)
    with ms.Map(size=(200, 200)) as m:
        m.add(points(2), title="other").add(frame, title="mixed")
        assert {layer.geometry_type for layer in m.layers.values()} == {"point", "polyline", "polygon"}
        assert len(m.layers) == 4 and all(name.startswith(("mixed", "other")) for name in m.layers)
        assert sum(m.counts(everywhere=True).values()) == 5


def test_data_are_added_above_a_document():
    with ms.open(CITIES, size=(200, 100)) as m:
        image = m.render().png
        layer = m.layers["Cities"]
        layer.definition_expression = "POP_RANK = 1"
        m.add(points(3), title="mine", symbol="magenta")
        assert m.layers["Cities"].definition_expression == "POP_RANK = 1" and m.layers["Cities"] is layer
        assert list(m.layers) == ["Cities", "mine"] and m.render().png != image


@pytest.mark.parametrize("ending", ["png", "svg", "pdf", "jpg", "html"])
def test_maps_are_saved(tmp_path, ending):
    path = tmp_path / f"map.{ending}"
    ms.Map(size=(120, 80)).add(STATES, symbol="orange").save(path)
    start = {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF", "jpg": b"\xff\xd8", "html": b"<!DOCTYPE html>"}
    data = path.read_bytes()
    assert data.startswith(start[ending]) or (ending == "svg" and b"<svg" in data[:200])
    if ending == "html":
        assert b'width="120"' in data and b' alt="' in data and b"us-states" in data
    assert [file.name for file in tmp_path.iterdir()] == [path.name]


def test_a_notebook_shows_maps_at_two_pixels_with_alternative_text():
    m = ms.open(CITIES, size=(300, 200), title="Large <cities>")
    bundle, metadata = m._repr_mimebundle_()
    assert bundle["text/plain"] == repr(m) and bundle["image/png"].startswith(b"\x89PNG")
    assert bundle["image/png"][16:24] == (600).to_bytes(4, "big") + (400).to_bytes(4, "big")
    shown = metadata["image/png"]
    assert (shown["width"], shown["height"]) == (300, 200) and "Cities" in shown["alt"]
    assert m.render().png[16:20] == (300).to_bytes(4, "big")


def test_frames_have_the_accessor_in_any_order_of_imports():
    for first, second in [("mapstate", "pandas"), ("pandas", "mapstate"), ("mapstate", "pandas.core.frame")]:
        code = (
            f"import {first}\nimport {second}\nimport pandas\n"
            "f = pandas.DataFrame({'longitude': [1], 'latitude': [2]})\nprint(f.mapstate.plot(size=(20, 20)))"
        )
        done = subprocess.run([sys.executable, "-W", "error", "-c", code], capture_output=True, text=True)
        assert done.stdout == "<Map with 1 layer: features>\n", done.stderr
    frame = geopandas.read_file(STATES)
    assert repr(frame.mapstate.plot(size=(60, 40), symbol="red", label="NAME")) == "<Map with 1 layer: features>"
    assert repr(frame.geometry.mapstate.plot(size=(60, 40))) == "<Map with 1 layer: features>"
    code = "import sys, mapstate\nassert not {'pandas', 'numpy', 'geopandas', 'pyarrow'} & set(sys.modules)"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0


def test_wrong_properties_raise_where_they_are_set():
    with ms.open(CITIES) as m:
        with pytest.raises(AttributeError, match="definition_expression"):
            m.layers["Cities"].definition_expresion = "POP_RANK = 1"
        with pytest.raises(AttributeError, match="layers"):
            m.layer = 1
        with pytest.raises(ms.InputError):
            m.layers["Cities"].definition_expression = 3
        with pytest.raises(ms.UsageError, match="must be True or False"):
            m.layers["Cities"].visible = "no"
        m.layers["Cities"].visible = False
        assert m.layers["Cities"].visible is False


def test_legends_series_tiles_and_lint(tmp_path):
    progress = []
    with ms.open(COUNTIES, size=(200, 150)) as m:
        assert m.legend(counts=True).startswith(b"\x89PNG")
        assert b"entries" in m.legend(tmp_path / "legend.json") or (tmp_path / "legend.json").exists()
        images = m.series(
            tmp_path / "{NAME}.png", by="States", mute=True, title="{NAME}", statistic="count",
            progress=lambda done, count: progress.append((done, count)))
        assert len(images) == 51 and all(Path(image["file"]).exists() for image in images)
        assert all(image["statistics"] for image in images)
        assert progress and progress[-1][1] == 51 and progress == sorted(progress)
        assert m.tiles(tmp_path / "tiles", zoom=(0, 1), bounds=(-180, -85, 180, 85)) == 5
        assert (tmp_path / "tiles/0/0/0.png").exists()
        assert isinstance(m.lint(), list)
        with pytest.raises(ms.UsageError, match="legend_tittle"):
            m.series(tmp_path / "{NAME}.png", by="States", legend_tittle="x")


@pytest.mark.parametrize("ending", ["gif", "apng", "webp"])
def test_animations_show_the_pixels_of_the_images(tmp_path, ending):
    from PIL import Image, ImageChops

    days = geopandas.GeoDataFrame(
        {"n": range(5), "day": pandas.date_range("2024-01-01", periods=5)},
        geometry=geopandas.points_from_xy(range(5), [0, 1, 2, 1, 0]), crs=4326)
    with ms.open(days, size=(160, 100), no_basemap=True, symbol_size=14) as m:
        images = m.series(tmp_path / "{start}.png", by_time="day")
        shown = m.series(tmp_path / f"a.{ending}", by_time="day", frame_time="0.3s", loops=3)
    assert len(images) == len(shown) == 5 and [image["page"] for image in shown] == [1, 2, 3, 4, 5]
    with Image.open(tmp_path / f"a.{ending}") as animation:
        assert animation.n_frames == 5 and animation.is_animated
        for number, image in enumerate(images):
            animation.seek(number)
            animation.load()  # Pillow 13 states the duration of WebP frames only then
            assert round(animation.info["duration"]) == 300
            with Image.open(image["file"]) as own:
                difference = ImageChops.difference(animation.convert("RGB"), own.convert("RGB"))
            assert difference.getbbox() is None, number
    with pytest.raises(ms.UsageError, match="frame_time"):
        with ms.open(days) as m:
            m.series(tmp_path / "{start}.png", by_time="day", frame_time="1s")


def test_long_work_is_cancelled(tmp_path):
    with ms.open(COUNTIES, size=(400, 300)) as m:
        timer = threading.Timer(0.3, m.cancel)
        timer.start()
        start = time.monotonic()
        with pytest.raises(ms.CancelledError):
            m.tiles(tmp_path / "tiles", zoom=(0, 13), bounds=(-74, 40, -69, 44), progress=lambda done, count: None)
        assert time.monotonic() - start < 60
        assert m.count("States", everywhere=True) == 51

        def fail(done, count):
            raise KeyError(done)

        with pytest.raises(KeyError):
            m.tiles(tmp_path / "others", zoom=(0, 13), bounds=(-74, 40, -69, 44), progress=fail)
        assert m.count("States", everywhere=True) == 51


def test_tasks_draw_and_are_cancelled(tmp_path):
    async def draw():
        maps = [ms.open(CITIES, size=(120, 80)) for _ in range(4)]
        images = await asyncio.gather(*(m.render_async() for m in maps))
        ticks = 0

        async def tick():
            nonlocal ticks
            while True:
                await asyncio.sleep(0.001)
                ticks += 1

        other = asyncio.create_task(tick())
        await maps[0].render_async(tmp_path / "map.png")
        other.cancel()
        drawing = asyncio.create_task(maps[1].render_async())
        await asyncio.sleep(0)
        drawing.cancel()
        with pytest.raises(asyncio.CancelledError):
            await drawing
        assert maps[1].render().png == images[1].png
        return {image.png for image in images}, ticks

    images, ticks = asyncio.run(draw())
    assert len(images) == 1 and ticks > 0 and (tmp_path / "map.png").read_bytes() in images


def _drawn(_):
    m = ms.open(CITIES, size=(60, 40))
    return m.render().png, m.count(everywhere=True), str(_outdated(m))


def _outdated(_):
    try:
        OPENED.count()
    except ms.UsageError as error:
        return error


OPENED = None


def test_a_forked_process_draws_and_refuses_maps_of_its_parent():
    global OPENED
    OPENED = ms.open(CITIES, size=(60, 40))
    expected = OPENED.render().png
    with multiprocessing.get_context("fork").Pool(2) as pool:
        for image, count, error in pool.map(_drawn, range(4)):
            assert image == expected and count == 10020 and "before this process was forked" in error
    assert OPENED.render().png == expected


def test_the_tool_runs_through_the_library(tmp_path):
    def run(program, *arguments):
        done = subprocess.run([*program, *map(str, arguments)], capture_output=True, cwd=tmp_path)
        return done.returncode, done.stdout, done.stderr

    module = [sys.executable, "-m", "mapstate"]
    cases = [
        ["--version"], ["--help"], ["count", CITIES, "--everywhere"], ["count", CITIES, "--expect", "1"],
        ["count", "none.json"], ["counts"], ["render", CITIES, "-o", "x.gif"], ["statistics", CITIES],
        ["render", CITIES, "--size", "10x10", "-o", "-"], ["render", "--ramp", "list"],
    ]
    for case in cases:
        assert run(module, *case) == run([TOOL], *case), case
    assert len(cases) == 10
    assert run(module, "render", CITIES, "-o", "a.png", "--size", "90x60")[0] == 0
    assert run([TOOL], "render", CITIES, "-o", "b.png", "--size", "90x60")[0] == 0
    assert (tmp_path / "a.png").read_bytes() == (tmp_path / "b.png").read_bytes()


def test_control_c_ends_a_drawing(tmp_path):
    code = (
        "import mapstate, signal, threading, os, time\n"
        # A shell ignores the signal in programs that it starts in the background.
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        f"m = mapstate.open({COUNTIES!r})\n"
        "threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()\n"
        "try:\n    m.tiles('tiles', zoom=(0, 12), bounds=(-74, 40, -69, 44))\n"
        "except KeyboardInterrupt:\n    print('ended', m.count('States', everywhere=True))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path, timeout=120)
    assert done.stdout == "ended 51\n", done.stderr

"""The Python package: the same answers as the tool, and errors instead of crashes."""

import datetime
import json
import math
import multiprocessing
import os
import random
import subprocess
import threading
from pathlib import Path

import geopandas
import pandas
import pyarrow
import pytest

import mapstate as ms
from mapstate.session import Session

pytestmark = pytest.mark.filterwarnings("ignore::mapstate.MapStateWarning")
TOP = Path(__file__).parents[2]
CITIES = str(TOP / "Styles/world-cities.json")
COUNTIES = str(TOP / "Styles/us-counties.json")
TOOL = os.environ["MAPSTATE"]


def tool(*arguments):
    done = subprocess.run([TOOL, *map(str, arguments)], capture_output=True)
    return done.returncode, done.stdout


@pytest.fixture(scope="module")
def cities():
    with ms.open(CITIES, size=(300, 200)) as m:
        yield m


def test_counts_of_random_requests_equal_the_tools(tmp_path):
    """500 requests: half are counts with random extents and filters, half are images."""
    random.seed(29)
    compared = 0
    with ms.open(CITIES) as m:
        lines, asked = [], []
        for _ in range(250):
            x, y = sorted(random.uniform(-180, 180) for _ in range(2)), sorted(random.uniform(-85, 85) for _ in range(2))
            asked.append((x[0], y[0], x[1], y[1]))
            lines.append(",".join(map(str, asked[-1])))
        extents = tmp_path / "extents"
        extents.write_text("\n".join(lines))
        for rank in (1, 3):
            where = f"POP_RANK <= {rank}"
            code, out = tool("count", CITIES, "--extents", extents, "--where", where, "--format", "json")
            assert code == 0
            for extent, count in zip(asked, json.loads(out)["counts"]):
                if (compared % 2) == (rank == 1):
                    assert m.count(extent=extent, where=where) == count
                compared += 1
    assert compared == 500


def test_images_of_random_views_have_the_tools_bytes(tmp_path):
    random.seed(30)
    for number in range(int(os.environ.get("MAPSTATE_IMAGES", "12"))):
        place = f"{random.uniform(-60, 70):.3f},{random.uniform(-170, 170):.3f},{10 ** random.uniform(5, 8):.0f}"
        size = (random.randrange(1, 400), random.randrange(1, 400))
        path = tmp_path / f"{number}.png"
        code, _ = tool("render", CITIES, "-o", path, "--viewpoint", place, "--size", f"{size[0]}x{size[1]}")
        assert code == 0
        assert ms.render(CITIES, viewpoint=place, size=size).png == path.read_bytes()


def test_filters_change_counts_and_the_funnel():
    with ms.open(CITIES) as m:
        layer = m.layers["Cities"]
        everything = m.count(everywhere=True)
        layer.definition_expression = "POP_RANK = 1"
        large = m.count(everywhere=True)
        assert 0 < large < everything
        layer.display_filter = "1 = 0"
        assert m.funnel()["drawn"] == 0
        assert m.count(everywhere=True) == m.funnel(everywhere=True)["definition"] == large
        layer.definition_expression = ""
        assert m.count(everywhere=True) == everything


def test_the_display_filter_is_the_active_one_and_a_warning_names_the_stage_that_leaves_nothing():
    with ms.open(str(TOP / "Styles/san-francisco-incidents.json"), size=(300, 200)) as m:
        layer = m.layers["Incidents"]
        assert "req_type" in layer.display_filter
        layer.definition_expression = "NOT (" + layer.display_filter + ")"
        assert layer.definition_expression.startswith("NOT (")
        with pytest.warns(ms.MapStateWarning, match="the display filter leaves none"):
            m.render()
        layer.display_filter = ""
        assert layer.display_filter == "" and m.funnel(layer)["drawn"] > 0


def test_now_fixes_the_time_of_filters():
    with ms.open(CITIES, now="2024-04-01", definition="CURRENT_DATE = DATE '2024-04-01'") as m:
        assert m.count(everywhere=True) > 0
    with ms.open(CITIES, now=datetime.date(2024, 4, 2), definition="CURRENT_DATE = DATE '2024-04-01'") as m:
        assert m.count(everywhere=True) == 0


def test_statistics_and_queries_are_frames(cities):
    found = cities.statistics(["count:CITY_NAME:n", "average:LATITUDE:lat"], group_by="POP_RANK", everywhere=True)
    assert isinstance(found, pandas.DataFrame) and list(found.columns) == ["POP_RANK", "n", "lat"]
    rows = cities.query(everywhere=True, max_features=5, order_by="CITY_NAME")
    assert isinstance(rows, geopandas.GeoDataFrame) and len(rows) == 5 and rows.crs.to_epsg() == 4326
    assert found["n"].sum() == cities.count(everywhere=True)
    table = cities.query(everywhere=True, format="pyarrow", max_features=5, order_by="CITY_NAME")
    assert isinstance(table, pyarrow.Table)
    assert table.column("CITY_NAME").to_pylist() == list(rows["CITY_NAME"])
    with pytest.raises(ms.UsageError, match="polars"):
        cities.query(format="polars")
    plain = cities.query(everywhere=True, max_features=2, geometry_column=False, fields=["CITY_NAME"])
    assert list(plain.columns) == ["CITY_NAME"]


def test_data_in_memory_are_drawn():
    frame = geopandas.GeoDataFrame(
        {"rate": [1.5, 2.5]}, geometry=geopandas.points_from_xy([500000, 600000], [5600000, 5700000]), crs=32632
    )
    with ms.open(frame) as m:
        assert m.count(everywhere=True) == 2
        assert m.render().png.startswith(b"\x89PNG")
    table = pandas.DataFrame({"name": ["a", "b", "c"], "longitude": [1, 2, 3], "latitude": [4, 5, 6]})
    with ms.open(table) as m:
        assert m.count(everywhere=True) == 3
    # The types of a frame are kept.
    codes = pandas.DataFrame({"code": ["007", "008"], "longitude": [1, 2], "latitude": [4, 5]})
    with ms.open(codes) as m:
        assert m.count(everywhere=True, where="code = '007'") == 1
    mixed = pandas.DataFrame({"a": [1, "b"], "longitude": [1, 2], "latitude": [4, 5]})
    with ms.open(mixed) as m:
        assert m.count(everywhere=True, where="a = 'b'") == 1
    table = pyarrow.table({"day": [datetime.date(2020, 5, 1), None], "longitude": [1, 2], "latitude": [4, 5]})
    with ms.open(table) as m:
        assert m.count(everywhere=True, where="day = DATE '2020-05-01'") == 1
    with pytest.raises(ms.UsageError, match="set_crs"):
        ms.open(frame.set_crs(None, allow_override=True))
    with pytest.raises(ms.UsageError, match="int"):
        ms.open(3)


def places(**columns):
    """Returns a frame and a GeoDataFrame of two points with columns."""
    frame = pandas.DataFrame({"longitude": [1.0, 2.0], "latitude": [1.0, 2.0], **columns})
    points = geopandas.points_from_xy(frame.longitude, frame.latitude)
    return frame, geopandas.GeoDataFrame(frame, geometry=points, crs=4326)


def test_whole_numbers_with_nulls_are_exact():
    large = 2**53 + 1
    frame, _ = places(
        large=pandas.array([large, None], dtype="Int64"), small=pandas.array([None, -5], dtype="Int64"), real=[5.0, None]
    )
    with ms.open(frame) as m:
        for rows in (m.query(), m.query(geometry_column=False)):
            assert rows["large"].dtype == rows["small"].dtype == "Int64" and rows["real"].dtype == "float64"
            assert rows["large"].iloc[0] == large and rows["small"].iloc[1] == -5
            assert rows["large"].isna().tolist() == [False, True]
        found = m.statistics(["max:large", "max:real"], group_by=["longitude", "large"], order_by="longitude")
        assert found["MAX_large"].iloc[0] == found["large"].iloc[0] == large and pandas.isna(found["MAX_large"].iloc[1])
        assert found["MAX_real"].dtype == "float64"
    whole, _ = places(n=[large, 1])
    with ms.open(whole) as m:
        assert m.query()["n"].dtype == "int64"


def test_only_the_column_with_several_types_is_read_as_text():
    frames = places(code=["1001", "1E5"], text=["", "x"], yes=["true", "false"], note=["a", 1])
    for frame in frames:
        before = frame.copy()
        with pytest.warns(ms.MapStateWarning, match='column "note" is read as text, because it has values of type int and str') as found:
            m = ms.open(frame)
        assert len(found) == 1 and found[0].filename == __file__
        rows = m.query()
        assert rows["code"].tolist() == ["1001", "1E5"] and rows["text"].tolist() == ["", "x"]
        assert rows["yes"].tolist() == ["true", "false"] and rows["note"].tolist() == ["a", "1"]
        assert frame.equals(before)


def test_sparse_columns_are_read_and_too_large_numbers_name_their_column():
    for frame in places(count=pandas.arrays.SparseArray([0, 7]), note=["a", None]):
        assert ms.open(frame).query()["count"].tolist() == [0, 7]
    for number in (2**70, 2**63, -(2**63) - 1):
        for frame in places(c=pandas.Series([number, None], dtype=object)):
            with pytest.raises(ms.InputError, match='column "c": a whole number does not fit in 64 bits'):
                ms.open(frame)


def test_named_levels_of_an_index_are_fields():
    for frame in places(code=["007", "008"]):
        assert ms.open(frame.set_index("code")).query()["code"].tolist() == ["007", "008"]
        levels = pandas.MultiIndex.from_arrays([["a", "b"], [3, 4], [5, 6]], names=["key", None, "code"])
        indexed = frame.set_index(levels)
        with pytest.warns(ms.MapStateWarning, match='the index "code" is left out, because a column has this name'):
            rows = ms.open(indexed).query()
        assert rows["key"].tolist() == ["a", "b"] and rows["code"].tolist() == ["007", "008"]
        assert list(rows.columns) == ["geometry", "longitude", "latitude", "code", "key"]
        assert list(indexed.columns) == list(frame.columns)
    assert "code" in ms.open(frame.set_index("code").geometry).query().columns
    groups = places(name=["a", "b"])[0].groupby("name").mean()
    assert ms.open(groups).query()["name"].tolist() == ["a", "b"]


@pytest.mark.parametrize("ending", ["png", "svg", "html"])
def test_a_file_that_cannot_be_written_has_the_name_that_was_given(cities, tmp_path, ending):
    path = tmp_path / "none" / f"x.{ending}"
    with pytest.raises(ms.InputError) as found:
        cities.save(path)
    assert str(found.value) == f"{path}: cannot be written: the folder {path.parent} does not exist"
    file, folder = tmp_path / "file", tmp_path / "folder.png"
    file.touch()
    folder.mkdir()
    for wrong in (file / "x.png", folder):
        with pytest.raises(ms.InputError) as found:
            cities.render(wrong)
        assert str(found.value).startswith(f"{wrong}: ") and ".part" not in str(found.value)
    assert sorted(item.name for item in tmp_path.iterdir()) == ["file", "folder.png"]


def test_errors_have_a_kind_a_message_and_a_suggestion(cities):
    with pytest.raises(ms.InputError) as found:
        cities.layers["Cities"].definition_expression = "POP_RNK = 1"
    assert found.value.suggestion == "POP_RANK" and "POP_RNK" in found.value.message
    with pytest.raises(ms.UsageError, match="Citis"):
        cities.count("Citis")
    with pytest.raises(ms.UsageError, match="name one"):
        with ms.open(COUNTIES) as counties:
            counties.count()
    with pytest.raises(ms.InputError, match="none.json"):
        ms.open("none.json")


@pytest.mark.parametrize(
    "call",
    [
        lambda m: m.count(extent=(math.nan, 0, 1, 1)),
        lambda m: m.count(extent=(1, 2)),
        lambda m: m.count(where=None, extent="x"),
        lambda m: m.count(where=3),
        lambda m: m.count(unknown=1),
        lambda m: m.count(where="\ud800"),
        lambda m: m.statistics([]),
        lambda m: m.statistics("sum:NONE"),
        lambda m: m.query(max_features=-1),
        lambda m: m.pan(math.inf, 0),
        lambda m: m.zoom(0),
        lambda m: m.set_view(viewpoint="x"),
        lambda m: m.ask("fly"),
        lambda m: m.ask("open", source="-"),
        lambda m: m.ask("render", output="/proc/none/x.png"),
        lambda m: m.count(where=object()),
        lambda m: ms.open(CITIES, size=(10**9, 10**9)),
        lambda m: ms.open(CITIES, size=(0, 1)),
        lambda m: ms.open(CITIES, threads=0),
        lambda m: ms.open(CITIES, services="none.json"),
        lambda m: Session(unknown=True),
    ],
)
def test_wrong_calls_raise(cities, call):
    with pytest.raises(ms.MapStateError) as found:
        call(cities)
    assert found.value.message


@pytest.mark.parametrize(
    "call",
    [
        lambda: ms.open(None),
        lambda: ms.open(b"map.json"),
        lambda: ms.open({}),
        lambda: ms.open(""),
        lambda: ms.open("\0"),
        lambda: ms.open("a" * 10**6),
        lambda: ms.open(CITIES, size=(math.nan, 1)),
        lambda: ms.open(CITIES, size=3),
        lambda: ms.open(CITIES, pixel_ratio=1e308),
        lambda: ms.open(CITIES, services=os.devnull),
        lambda: ms.render(CITIES, "image.xyz"),
        lambda: ms.render(CITIES, "/proc/none/image.svg"),
        lambda: ms.render(CITIES, size=(20, 20)).save("image.svg"),
    ],
)
def test_wrong_sources_and_files_raise(call):
    with pytest.raises(ms.MapStateError) as found:
        call()
    assert 0 < len(str(found.value)) < 2000


def test_random_bytes_are_errors():
    """Calls the C functions with changed requests that may not be JSON or UTF-8."""
    random.seed(31)
    steps = [
        b'{"step": "open", "source": "none.json", "size": [20, 10]}',
        b'{"step": "count", "bounds": [5, 45, 15, 55], "where": "POP_RANK = 1"}',
        b'{"step": "viewpoint", "center": {"latitude": 1, "longitude": 2}, "scale": 1e7}',
    ]
    with Session() as session:
        for _ in range(2000):
            step = bytearray(random.choice(steps))
            for _ in range(random.randrange(1, 4)):
                step[random.randrange(len(step))] = random.randrange(256)
            with pytest.raises(ms.MapStateError):
                session.ask_bytes(bytes(step))


def test_a_closed_map_raises():
    m = ms.open(CITIES)
    m.close()
    m.close()
    with pytest.raises(ms.UsageError, match="closed"):
        m.count()


def test_memory_stays_flat():
    """MAPSTATE_RENDERS is the number of images."""

    def resident():
        return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    number, start = int(os.environ.get("MAPSTATE_RENDERS", "300")), 0
    with ms.open(CITIES, size=(200, 150)) as m:
        for index in range(number):
            m.set_view(viewpoint=f"{index % 60},{index % 170},{10 ** (5 + index % 30 / 10):.0f}")
            assert m.render().png
            if index == number // 3:
                start = resident()
    assert resident() - start < 8 << 20


def test_layers_that_share_a_title_are_found_by_id_and_index(tmp_path):
    document = json.loads(Path(COUNTIES).read_text())
    for layer in document["operationalLayers"]:
        layer.update(title="Same", url=str(TOP / "Styles" / layer["url"]))
    path = tmp_path / "same.json"
    path.write_text(json.dumps(document))
    with ms.open(path, allow_path=[TOP / "Styles"]) as m:
        ids = [layer.id for layer in m.layers.values()]
        assert len(set(ids)) == len(ids) == len(m.layers) == 2
        assert list(m.layers) == list(m.counts()) == ids
        with pytest.raises(ms.UsageError, match="several layers"):
            m.layers["Same"]
        assert "Same" not in m.layers and m.layers.get("Same") is None and m.layers.get(0).id == ids[0]


def test_arrays_dates_and_paths_are_options(cities, tmp_path):
    numpy = pytest.importorskip("numpy")
    assert cities.count(extent=numpy.array([5, 45, 15, 55])) == cities.count(extent=(5, 45, 15, 55))
    rows = cities.query(extent=(5, 45, 15, 55))
    west, south, east, north = rows.total_bounds
    assert cities.count(extent=rows.total_bounds) == cities.count(extent=[west, south, east, north])
    cities.count(time=datetime.date(2020, 1, 1))
    cities.count(time=(datetime.datetime(2020, 1, 1), pandas.Timestamp("2021-01-01")))
    with pytest.raises(ms.InputError, match="standard input"):
        cities.count(geometry="-")
    with ms.open(Path(CITIES), size=numpy.array([60, 40]), title="Cities", legend=True) as m:
        assert "60x40" in repr(m.render(tmp_path / "map.svg"))
    assert "<svg" in (tmp_path / "map.svg").read_text()


def test_notes_on_answers_are_warnings(tmp_path):
    """Texts that CAST does not read, ids that no row has, and a time without a time field."""
    (tmp_path / "na.csv").write_text("lon,lat,v\n1,2,5\n3,4,n/a\n")
    with pytest.warns(ms.MapStateWarning, match="because a value is \"n/a\""):
        table = ms.open(tmp_path / "na.csv")
    with table:
        with pytest.warns(ms.MapStateWarning, match="CAST of the field v: 1 of 2 texts is no number"):
            assert table.count(where="CAST(v AS DOUBLE) > 1", everywhere=True) == 1
        with pytest.warns(ms.MapStateWarning, match="no row has the id 99"):
            assert len(table.query(object_ids=[2, 99], everywhere=True)) == 1
        with pytest.warns(ms.MapStateWarning, match="has no time field"):
            assert table.count(time="2024", everywhere=True) == 2


def test_warnings_name_the_line_of_the_caller(tmp_path):
    path = tmp_path / "map.json"
    path.write_text('{"operationalLayers": [{"id": "a", "layerType": "Unheard"}]}')
    for call in (ms.open, ms.Map, ms.render):
        with pytest.warns(ms.MapStateWarning) as found:
            call(path)
        assert found[0].filename == __file__


def test_threads_share_a_map_and_have_their_own(cities):
    expected, images = cities.render().png, []

    def work():
        images.append(cities.render().png)
        images.append(ms.render(CITIES, size=(300, 200), threads=1).png)

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(images) == 16 and set(images) == {expected}


def _count(_):
    return ms.open(CITIES).count(everywhere=True)


def test_a_spawned_and_a_forked_process_work(cities):
    for method in ("spawn", "fork"):
        with multiprocessing.get_context(method).Pool(1) as pool:
            assert pool.map(_count, [0]) == [cities.count(everywhere=True)]


def test_images_show_in_notebooks(cities):
    image = cities.render()
    assert image._repr_png_() == image.png and "300x200" in repr(image)

"""Symbols, palettes, attributions, conditions, names of layers and messages, as a reader of the guide uses them."""

import gc
import json
import tempfile
import warnings
from pathlib import Path

import geopandas
import pandas
import pytest
import shapely

import mapstate as ms
from test_maps import pixel

TOP = Path(__file__).parents[2]
CITIES = str(TOP / "Styles/world-cities.json")
COUNTIES = TOP / "Styles/data/us-counties.geojson"


def squares(values, **columns):
    """Returns areas beside each other; the centre of each is 20 view pixels from the next, in a view of 20 pixels height."""
    boxes = [shapely.box(2 * n, 0, 2 * n + 2, 2) for n in range(len(values))]
    return geopandas.GeoDataFrame({"value": values, **columns}, geometry=boxes, crs=4326)


def drawn(frame, **options):
    """Returns the colour in the middle of each square."""
    count = len(frame)
    bounds = (0, 0, 2 * count, 2)
    image = ms.render(frame, size=(20 * count, 20), bounds=bounds, no_basemap=True, background="white", **options)
    return [pixel(image, 20 * n + 10, 10) for n in range(count)]


@pytest.mark.parametrize("classes", [{}, {"color_by": "value"}], ids=["one symbol", "classes"])
def test_opacity_and_outline_apply_to_one_symbol_and_to_classes(classes):
    frame = squares(["a", "b", "c"])
    solid, pale = drawn(frame, symbol=None, **classes, opacity=1), drawn(frame, **classes, opacity=0.25)
    assert all(sum(light) > sum(dark) for dark, light in zip(solid, pale))
    wide = drawn(frame, **classes, outline="#00ff00", outline_width=30)
    assert wide == [(0, 255, 0)] * 3


def test_the_opacity_of_a_symbol_is_that_of_its_classes():
    frame = squares([1.5, 2.5])
    colors = {"color_by": "value", "breaks": [2, 3], "colors": ["#ff0000", "#0000ff"]}
    assert drawn(frame, **colors) == [(255, 0, 0), (0, 0, 255)]
    half = drawn(frame, **colors, symbol="#00000080")
    assert half == drawn(frame, **colors, opacity=128 / 255)
    assert all(abs(part - expected) <= 1 for part, expected in zip(half[0], (255, 127, 127))), half
    with pytest.warns(ms.MapStateWarning, match="symbol has no effect: color_by replaces its colour"):
        drawn(frame, **colors, symbol="lime")


def test_markers_and_sizes_apply_to_classes():
    points = pandas.DataFrame({"n": [1, 2], "longitude": [0.0, 10.0], "latitude": [0.0, 0.0]})
    options = {"size": (60, 40), "bounds": (-10, -10, 20, 10), "color_by": "n", "colors": ["red", "blue"]}
    # The corner of a square of 16 pixels is outside the circle.
    places = ((20 + 7, 20 + 7), (40 - 7, 20 - 7))
    circle = ms.render(points, **options, symbol_size=16, outline="none")
    square = ms.render(points, **options, symbol_size=16, outline="none", marker="square")
    assert [pixel(square, *place) for place in places] == [(255, 0, 0), (0, 0, 255)]
    assert all(pixel(circle, *place) not in ((255, 0, 0), (0, 0, 255)) for place in places)
    with pytest.warns(ms.MapStateWarning, match="marker has no effect: the areas have no marker"):
        drawn(squares([1]), marker="square")
    with pytest.raises(ms.UsageError, match='did you mean "triangle"'):
        ms.render(points, marker="^")


def test_features_without_a_class_have_their_colour():
    frame = squares([1.0, None, 3.0])
    assert drawn(frame, color_by="value", no_data_color="#ff00ff")[1] == (255, 0, 255)
    assert drawn(frame, color_by="value", no_data_color="none")[1] == (255, 255, 255)


def test_many_texts_have_colours_of_their_own():
    frame = squares([f"k{n}" for n in range(51)])
    with warnings.catch_warnings():
        warnings.simplefilter("error", ms.MapStateWarning)
        assert len(set(drawn(frame, color_by="value", classes=51))) == 51
    with pytest.warns(ms.MapStateWarning, match="classes 51 colours all"):
        assert len(set(drawn(frame, color_by="value"))) == 10
    for name, count in [("tab20", 20), ("Set3", 12), ("tab10", 10), ("Set1", 9), ("Paired", 12)]:
        assert len(set(drawn(squares([f"k{n}" for n in range(count)]), color_by="value", ramp=name))) == count
    with pytest.raises(ms.UsageError, match="tab10 has 10 colours for 11 classes"):
        drawn(frame, color_by="value", ramp="tab10", classes=11)


def test_attributions_of_frames_and_maps():
    frame = squares([1, 2])
    with ms.Map(size=(200, 100)) as m:
        m.add(frame, title="A", attribution="City of Oslo").add(frame, title="B", attribution="Kartverket")
        assert m.render().report["attribution"] == "City of Oslo | Kartverket"
        m.layers["B"].visible = False
        assert m.render().report["attribution"] == "City of Oslo"
    plain = ms.render(frame, size=(200, 100))
    own = ms.render(frame, size=(200, 100), attribution="Data: City of Oslo")
    assert own.report["attribution"] == "Data: City of Oslo" and own.png != plain.png
    assert frame.mapstate.plot(size=(200, 100), attribution="Oslo").render().report["attribution"] == "Oslo"
    none = ms.render(frame, size=(200, 100), basemap="arcGISTopographic", attribution=False)
    assert none.png != ms.render(frame, size=(200, 100), basemap="arcGISTopographic").png


def test_where_limits_features_wherever_data_are_opened():
    frame = squares([1, 2, 3])
    assert ms.open(CITIES, where="POP_RANK = 1").count(everywhere=True) == 57
    assert ms.open(CITIES, where="Cities: POP_RANK = 1").count(everywhere=True) == 57
    assert frame.mapstate.plot(where="value > 1").count(everywhere=True) == 2
    assert ms.Map().add(frame, where="value > 2").count(everywhere=True) == 1
    with pytest.raises(ms.InputError) as found:
        frame.mapstate.plot(where="valu > 1")
    assert found.value.suggestion == "value"


def test_the_image_turns_counterclockwise():
    # The northern half is red. With 90 degrees, east is at the top, and so north is at the left.
    frame = geopandas.GeoDataFrame(
        {"side": ["north", "east"]}, geometry=[shapely.box(-1, 5, 1, 9), shapely.box(5, -1, 9, 1)], crs=4326)
    options = {"size": (100, 100), "bounds": (-10, -10, 10, 10), "color_by": "side", "outline": "none"}
    image = ms.render(frame, **options, rotation=90, colors=["red", "blue"])
    plain = ms.render(frame, **options, colors=["red", "blue"])
    assert pixel(plain, 50, 15) == pixel(image, 15, 50) != (255, 255, 255)
    assert pixel(plain, 85, 50) == pixel(image, 50, 15) != (255, 255, 255)


def test_layers_have_the_title_of_their_data():
    frame = squares([1, 2])
    assert list(frame.mapstate.plot().layers) == ["features"]
    frame.attrs["title"] = "Areas: of/Oslo"
    assert list(frame.mapstate.plot().layers) == ["Areas_ of_Oslo"]
    assert list(ms.Map().add(frame).add(frame, title="T").layers) == ["Areas_ of_Oslo", "T"]
    assert list(ms.open(frame.geometry.rename("places")).layers) == ["places"]
    assert list(ms.open({"type": "FeatureCollection", "name": "roads", "features": [
        {"type": "Feature", "properties": {"n": 1}, "geometry": {"type": "Point", "coordinates": [1, 2]}}]}).layers) == ["roads"]


def test_the_legend_of_a_frame_is_named_by_its_field(tmp_path):
    m = squares([1, 2]).rename(columns={"value": "unemployment_rate"}).mapstate.plot(color_by="unemployment_rate")
    m.legend(tmp_path / "legend.json")
    assert json.loads((tmp_path / "legend.json").read_text())["layers"][0]["by"].lower() == "unemployment rate"


def test_files_of_a_map_are_removed_without_a_warning(monkeypatch, tmp_path):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        closed, left = ms.open(squares([1])), ms.Map().add(squares([1]))
        assert len(list(tmp_path.iterdir())) == 2
        closed.close()
        assert len(list(tmp_path.iterdir())) == 1
        del left
        gc.collect()
        assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("call", "argument"),
    [
        (lambda: ms.open({"type": "FeatureCollection", "features": [3]}), "source"),
        (lambda: ms.open({"type": "Nonsense"}), "source"),
        (lambda: ms.open({"operationalLayers": 3}), "source"),
        (lambda: ms.Map().add({"type": "FeatureCollection", "features": 3}), "data"),
        (lambda: ms.Map().add([{"type": "Point", "coordinates": ["x", 1]}]), "data"),
    ],
)
def test_messages_name_the_argument_and_no_temporary_file(call, argument):
    with pytest.raises(ms.MapStateError) as found:
        call()
    text = str(found.value)
    assert tempfile.gettempdir() not in text and "features." not in text, text
    assert argument in text, text


def test_a_basemap_of_vector_tiles_asks_for_a_style(tmp_path):
    tiles = tmp_path / "tiles"
    (tiles / "0/0").mkdir(parents=True)
    (tiles / "0/0/0.pbf").write_bytes(b"")
    (tiles / "tiles.json").write_text(json.dumps({"tilejson": "3.0.0", "tiles": ["{z}/{x}/{y}.pbf"], "maxzoom": 0}))
    with pytest.raises(ms.MapStateError, match="need a style; give a MapLibre style"):
        ms.open(CITIES, basemap=str(tiles))


@pytest.mark.parametrize("question", ["count", "statistics", "query"])
def test_a_map_with_only_a_basemap_says_that_it_has_no_features(question):
    with ms.Map(basemap="arcGISTopographic", size=(60, 40)) as m:
        with pytest.raises(ms.UsageError, match="the map has only a basemap, whose features are not counted; add a layer"):
            m.statistics("count") if question == "statistics" else getattr(m, question)()
    with pytest.raises(ms.UsageError, match="the map has no layer with features"):
        ms.Map().count()

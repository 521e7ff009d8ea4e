"""The options of the tool and those of Python: the same names, defaults and messages."""

import inspect
import json
import os
import subprocess
from pathlib import Path

import pytest

import mapstate as ms
from mapstate import options
from mapstate.requests import spelled

TOP = Path(__file__).parents[2]
CITIES = str(TOP / "Styles/world-cities.json")
TOOL = os.environ["MAPSTATE"]

#: The functions of each command; all take a map that is opened with the options of `open`.
FUNCTIONS = {
    "render": [ms.Map.render],
    "count": [ms.Map.count],
    "statistics": [ms.Map.statistics],
    "query": [ms.Map.query],
    "series": [ms.Map.series],
    "legend": [ms.Map.legend],
    "tiles": [ms.Map.tiles],
    "lint": [ms.Map.lint],
}
QUESTIONS = ("count", "statistics", "query")

#: Options that have another name in Python, and the reason.
RENAMED = {
    "output": ("path", "files are called path in Python"),
    "statistic": ("statistics", "the parameter that is always given takes several statistics"),
    "out_fields": ("fields", "the fields of a frame"),
    "no_geometry": ("geometry_column", "true by default, as geometries are in frames"),
    "no_attribution": ("attribution", "false instead of another name"),
    "legend_title": ("title", "the legend is drawn alone"),
    "legend_counts": ("counts", "the legend is drawn alone"),
    "legend_in_view": ("in_view", "the legend is drawn alone"),
    "legend_bars": ("bars", "the legend is drawn alone"),
    "legend_charts": ("charts", "the legend is drawn alone"),
    "legend_columns": ("columns", "the legend is drawn alone"),
}

#: Options that Python does not have, with the reason.
GAPS = {
    "output": "the frame of Map.query writes files",
    "funnel": "Map.funnel",
    "by_class": "Map.count_by_class",
    "extents": "Map.count_in",
    "expect": "assert m.count() == …",
    "ids": "the index of Map.query",
    "extent_only": "total_bounds of the frame of Map.query",
    "count_only": "Map.count",
    "format": "answers are objects",
    "json": "answers are objects",
    "report": "Image.report, and the answer of Map.series",
    "describe": "Image.description",
    "watch": "a notebook draws again",
    "strict": "warnings.simplefilter('error', mapstate.MapStateWarning)",
    "quiet": "warnings.simplefilter('ignore', mapstate.MapStateWarning)",
    "timeout": "Map.cancel, and asyncio.timeout with Map.render_async",
    "max_memory": "a limit of the process: resource.setrlimit",
    "explain": "statements and requests are a matter of the tool",
}


def dumped(command):
    done = subprocess.run([TOOL, command, "--experimental-dump-help"], capture_output=True, check=True)
    found = set()
    for argument in json.loads(done.stdout)["command"]["arguments"]:
        names = [name["name"] for name in argument.get("names", []) if name["kind"].startswith("long")]
        if argument["kind"] != "positional" and argument["shouldDisplay"] and names:
            found.add(frozenset(name.replace("-", "_") for name in names))
    return found


def of_python(command):
    known = set(options.Options.__annotations__)
    for function in FUNCTIONS[command]:
        known.update(inspect.signature(function).parameters)
    if command in QUESTIONS:
        known.update(options.Question.__annotations__)
    if command == "series":
        known.update(options.Layout.__annotations__)
    return known


@pytest.mark.parametrize("command", FUNCTIONS)
def test_python_has_each_option_of_the_tool_or_a_reason(command):
    known, walked, used = of_python(command), 0, set()
    for names in dumped(command):
        walked += 1
        # A word of Python ends with "_".
        if names & {"help", "version"} or names & known or {f"{name}_" for name in names} & known:
            continue
        renamed = {RENAMED[name][0] for name in names if name in RENAMED}
        if renamed & known:
            continue
        assert names & set(GAPS), f"{command}: {sorted(names)} is in no table of Python, and has no reason"
        used |= names & set(GAPS)
        assert not used & known
    assert walked > 15, walked


def test_each_reason_is_needed():
    everything = {name for command in FUNCTIONS for names in dumped(command) for name in names}
    assert set(GAPS) <= everything, set(GAPS) - everything
    assert set(RENAMED) <= everything, set(RENAMED) - everything


#: A value of each option of a map on the file of counties, or what it needs besides.
VALUES = {
    "size": (200, 100), "services": None, "allow_path": [TOP], "allow_private": True, "allow_http": True,
    "allow_host": ["*.example.org"], "deny_host": "example.com",
    "record": None, "resume": None, "replay": None, "threads": 1, "online": False, "portal": "https://gis.example.org", "offline": True, "max_download": 1 << 20,
    "pixel_ratio": 1.5, "for_": "projector", "reference": 3857, "layer": "us-counties", "only": "us-counties", "hide": ["us-counties"],
    "show": "us-counties", "filters": "none", "definition": "unemployment_rate > 5",
    "where": "unemployment_rate > 6",
    "display_filter": "unemployment_rate > 5", "time": None, "now": "2024-04-01", "data": None, "tiles": None,
    "ids_of": None, "skip_unavailable": True, "viewpoint": "42,-72,5000000",
    "center": None, "bounds": (-74, 41, -70, 43), "fit": "us-counties", "scale": None, "zoom": 5, "padding": 5,
    "rotation": 30, "source_reference": 4326, "x": None, "y": None, "encoding": None, "delimiter": None,
    "decimal": None, "skip_bad_rows": True, "tile_zoom": None, "join": None, "join_first": None,
    "style": TOP / "Tests/MapModelTests/Cases/SLD/polygons/stroke.sld",
    "opacity": 0.3, "outline": "red", "outline_width": 2, "marker": None, "symbol_size": None, "no_data_color": None,
    "color_by": "unemployment_rate", "symbol": "red", "size_by": None, "label": "NAME", "normalize_by": None,
    "classes": None, "method": None, "breaks": None, "edges": None, "ramp": None, "colors": None, "cross_by": None,
    "midpoint": None, "hatch": None, "title": "Rates",
    "size_range": None, "size_scaling": None, "label_priority": None, "label_short": None,
    "subtitle": "By county", "legend": "bottom-left", "legend_title": None, "legend_in_view": None,
    "legend_counts": None, "legend_bars": None, "legend_charts": None, "legend_columns": None, "template": None,
    "scale_bar": "both", "locator": True, "north_arrow": True, "inset": None, "attribution": False,
    "frame": True, "margin": "5mm", "basemap": "arcGISTopographic", "no_basemap": True, "basemap_names": True,
    "basemap_language": None,
    "graticule": True,
    "background": "#ddeeff", "aggregate": None, "missing_tiles": "blank", "font": None, "painter": "reference",
    "dpi": 192,
}


@pytest.mark.filterwarnings("ignore::mapstate.MapStateWarning")
def test_each_option_of_a_map_is_accepted():
    assert set(VALUES) == set(options.Options.__annotations__)
    data, tried = str(TOP / "Styles/data/us-counties.geojson"), 0
    plain = ms.render(data, size=(120, 80), offline=True).png
    changed = set()
    for name, value in VALUES.items():
        if value is None:
            continue
        image = ms.render(data, **{"size": (120, 80), name: value})
        changed |= {name} if image.png != plain else set()
        tried += 1
    assert tried == 56, tried
    assert {
        "basemap", "basemap_names", "graticule", "background", "dpi", "symbol", "title", "legend", "where", "opacity",
        "outline", "outline_width", "style",
    } <= changed


@pytest.mark.parametrize(
    ("function", "name"),
    [(ms.open, "open"), (ms.render, "render"), (ms.Map, "Map"), (lambda source, **options: frame().mapstate.plot(**options), "plot")],
    ids=["open", "render", "Map", "plot"],
)
def test_an_error_names_the_function_that_was_called(function, name):
    with pytest.raises(ms.UsageError) as found:
        function(CITIES, column="POP")
    assert str(found.value) == f'{name} has no option "column"; did you mean "color_by"?'


def frame():
    import pandas

    return pandas.DataFrame({"n": [1, 2, 3], "longitude": [1.0, 2.0, 3.0], "latitude": [1.0, 2.0, 1.0]})


def test_options_that_go_with_others_are_accepted(tmp_path):
    data = str(TOP / "Styles/data/us-counties.geojson")
    colours = {"color_by": "unemployment_rate", "size": (300, 200)}
    images = {ms.render(data, **colours, **more).png for more in (
        {}, {"classes": 3}, {"method": "equal-interval"}, {"breaks": [4, 5, 20]}, {"ramp": "viridis"},
        {"breaks": "4,5,20", "edges": "lower"}, {"ramp": "#ffffff-#0000ff"}, {"ramp": "viridis_r"},
        {"colors": ["red", "#00ff00"]}, {"legend": True}, {"legend": True, "legend_title": "Rate"},
        {"legend": True, "legend_counts": True}, {"legend": True, "legend_bars": True},
        {"midpoint": 8}, {"cross_by": "unemployment_rate"}, {"hatch": "black"}, {"legend": True, "legend_charts": True},
        {"center": {"latitude": 42, "longitude": -72}, "scale": 5e6},
    )}
    assert len(images) == 18


@pytest.mark.parametrize(
    ("options", "suggestion"),
    [
        ({"pixelratio": 2}, "pixel_ratio"), ({"column": "n"}, "color_by"), ({"cmap": "viridis"}, "ramp"),
        ({"figsize": (3, 2)}, "size"), ({"base_map": "arcGISStreets"}, "basemap"), ({"k": 4}, "classes"),
        ({"bbox": (1, 2, 3, 4)}, "bounds"), ({"alpha": 0.5}, "opacity"), ({"edgecolor": "red"}, "outline"),
        ({"markersize": 4}, "symbol_size"), ({"linewidth": 4}, "outline_width"), ({"filter": "n > 1"}, "where"),
        ({"missing_kwds": {}}, "no_data_color"), ({"palette": "tab20"}, "ramp"), ({"colour_by": "n"}, "color_by"), ({"scheme": "quantiles"}, "method"),
    ],
)
def test_an_unknown_option_names_the_nearest(options, suggestion):
    with pytest.raises(ms.UsageError) as found:
        ms.open(CITIES, **options)
    assert found.value.suggestion == suggestion and f'"{suggestion}"' in str(found.value)


@pytest.mark.parametrize("empty", ["", " \t"])
def test_empty_conditions_are_errors_as_in_the_tool(empty):
    done = subprocess.run([TOOL, "count", CITIES, "--where", empty], capture_output=True, text=True)
    message = done.stderr.strip().replace("error: --where", "where")
    with ms.open(CITIES) as m:
        calls = {
            "where": [
                lambda: m.count(where=empty), lambda: m.counts(where=empty), lambda: m.funnel(where=empty),
                lambda: m.query(where=empty), lambda: m.statistics("count", where=empty), lambda: ms.open(CITIES, where=empty),
                lambda: m.add(CITIES, where=["POP_RANK = 1", empty]),
            ],
            "cql2": [lambda: m.count(cql2=empty)],
            "having": [lambda: m.statistics("count", group_by="POP_RANK", having=empty)],
        }
        for name in calls:
            for call in calls[name]:
                with pytest.raises(ms.UsageError) as found:
                    call()
                assert str(found.value) == message.replace("where", name)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("siz", '"size" is an option'), ("title", '"title" is an option'), ("layer", 'did you mean "layers"?'),
        ("notess", 'did you mean "notes"?'), ("qqq", 'no property "qqq"'),
    ],
)
def test_an_unknown_property_names_the_nearest_property_or_option(name, words):
    with ms.Map() as m, pytest.raises(AttributeError) as found:
        setattr(m, name, 1)
    assert words in str(found.value)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: ms.open(CITIES, basemap="arcGISTopografic"), 'did you mean "arcGISTopographic"'),
        (lambda: ms.open(CITIES, classes=3), "classes needs color_by"),
        (lambda: ms.open(CITIES, color_by="POPP"), 'color_by: no field named "POPP"'),
        (lambda: ms.open(CITIES, color_by="Citys: POP"), 'did you mean "Cities"?'),
        (lambda: ms.open(CITIES, color_by="POP", edges="uper"), 'did you mean "upper"?'),
        (lambda: ms.open(CITIES, pixel_ratio="x"), "pixel_ratio"),
        (lambda: ms.open(CITIES, basemap="arcGISStreets", no_basemap=True), "no_basemap"),
        (lambda: ms.open(CITIES, display_filter="POP_RNK = 1"), "POP_RANK"),
        (lambda: ms.open(CITIES).query(max_features=-1), "max_features"),
        (lambda: ms.open(CITIES).series("{n}.png"), '"by_time"'),
    ],
)
def test_messages_spell_options_as_python_does(call, words):
    with pytest.raises(ms.MapStateError) as found:
        call()
    assert words in str(found.value), str(found.value)
    assert "--" not in str(found.value)


def test_only_names_of_options_are_spelled_anew():
    assert spelled("--color-by and --some-flag of a--b") == "color_by and --some-flag of a--b"
    assert spelled('"legendTitle" has no effect: "someName" is data') == '"legend_title" has no effect: "someName" is data'
    assert spelled("$.pixelRatio: expected a number") == "pixel_ratio: expected a number"
    assert spelled("$.layers[0].pixelRatio: expected") == "$.layers[0].pixelRatio: expected"

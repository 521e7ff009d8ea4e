"""The options of maps, layers and questions, for editors, type checkers and messages.

Their names are those of the options of the tool in snake case: ``--pixel-ratio`` is ``pixel_ratio``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypedDict

if TYPE_CHECKING:
    import datetime
    import os
    from typing import Any, Mapping, Sequence, Tuple, Union

    #: Numbers, also as an array, such as ``frame.total_bounds``.
    Numbers = Union[Sequence[float], Any]
    #: A name or several.
    Names = Union[str, Sequence[str]]
    #: A file.
    File = Union[str, os.PathLike[str]]
    #: A time as text, or as an object of Python or pandas.
    Time = Union[str, datetime.date, datetime.datetime]


class Place(TypedDict, total=False):
    """Options that move a view; the first four exclude each other.

    >>> place: Place = {"center": {"latitude": 50, "longitude": 12}, "scale": 2e7}
    """

    #: ``"LATITUDE,LONGITUDE,SCALE"``, such as ``"50,12,20000000"``.
    viewpoint: str
    #: ``(latitude, longitude)`` or ``{"latitude": …, "longitude": …}``, with ``scale`` or ``zoom``.
    center: Union[Mapping[str, float], Sequence[float]]
    #: West, south, east and north in degrees, or four coordinates and their WKID. An array such as
    #: ``frame.total_bounds`` is allowed.
    bounds: Numbers
    #: The layer whose features must fit, or ``"all"`` for those of all layers.
    fit: str
    #: The scale denominator of ``center``.
    scale: float
    #: The zoom level, instead of a scale.
    zoom: float
    #: View pixels left free around ``bounds`` or ``fit``.
    padding: float
    #: Degrees by which the image of the map is rotated counterclockwise: with 90, east is at the top.
    rotation: float


class Reading(TypedDict, total=False):
    """What data files do not say about themselves, and tables that are joined to them.

    >>> reading: Reading = {"x": "easting", "y": "northing", "source_reference": 25832}
    """

    #: The WKID of the coordinates.
    source_reference: Union[int, str]
    #: The columns of coordinates.
    x: str
    y: str
    #: The encoding of texts, such as ``"latin1"``.
    encoding: str
    #: The delimiter and the decimal sign of CSV.
    delimiter: str
    decimal: str
    #: Whether rows that cannot be read are left out, with a warning.
    skip_bad_rows: bool
    #: The zoom level of tiles.
    tile_zoom: int
    #: Tables whose columns are added to layers by equal keys: ``"FILE:KEY"``, ``"FILE:KEY=FIELD"``, or with
    #: ``"LAYER: "`` before it.
    join: Names
    #: Whether the first of several rows of a table with one key is taken.
    join_first: bool


class Classes(TypedDict, total=False):
    """Classes of colours, and the ranges of sizes.

    Each value may be for one layer of a web map, as ``"LAYER: VALUE"``, and a list has those of several layers.

    >>> classes: Classes = {"classes": 4, "method": "natural-breaks", "ramp": "viridis"}
    """

    #: The field that divides the numbers of ``color_by``.
    normalize_by: Names
    #: The field whose classes are crossed with those of ``color_by``, three by three.
    cross_by: Names
    #: The number of classes; of texts up to 64, the most frequent ones. All others are ``"Other"``.
    classes: Union[int, Names]
    #: The rule for the bounds of the classes: ``"quantile"``, ``"equal-interval"``, ``"natural-breaks"`` or
    #: ``"standard-deviation"``.
    method: Names
    #: The bounds of the classes.
    breaks: Union[Numbers, Names]
    #: The bounds that are part of a class: ``"upper"`` by default, or ``"lower"``.
    edges: Names
    #: The number between two halves of the classes in a diverging ramp.
    midpoint: Union[float, Names]
    #: The name of a colour ramp, ``"OrRd_r"`` for the opposite order, a palette for texts such as ``"tab20"`` or
    #: ``"Set3"``, or colours, such as ``"#fee8c8-#e34a33"``.
    ramp: Names
    #: The colours of the classes, instead of a ramp.
    colors: Names
    #: The colour of hatches that replace the fills of classes of areas, such as ``"black"``.
    hatch: Names
    #: The colour of features without a class of ``color_by``, or ``"none"`` to leave them out; a grey by default.
    no_data_color: Names
    #: The smallest and the largest size of ``size_by`` in pixels: ``"3-40"`` or ``(3, 40)``.
    size_range: Union[str, Sequence[float], Sequence[str]]
    #: The rule for the sizes of markers: ``"area"`` by default, or ``"flannery"``.
    size_scaling: Names
    #: The field with shorter texts for areas that have no room for the label.
    label_short: Names
    #: The field of the features whose labels are placed first, such as ``"POP:desc"``.
    label_priority: Names


class Symbols(TypedDict, total=False):
    """Properties of all symbols of a layer, also of those that ``color_by``, ``size_by`` or ``symbol`` choose.

    Each value may be for one layer, as in :class:`mapstate.options.Classes`.

    >>> symbols: Symbols = {"opacity": 0.6, "outline": "white", "marker": "square", "symbol_size": 10}
    """

    #: The opacity, 0 to 1.
    opacity: Union[float, Names]
    #: The colour of the outlines of points and areas, or ``"none"``.
    outline: Names
    #: The width of these outlines in pixels.
    outline_width: Union[float, Names]
    #: The shape of points: ``"circle"``, ``"cross"``, ``"diamond"``, ``"square"``, ``"triangle"`` or ``"x"``.
    marker: Names
    #: The size of points, or the width of lines, in pixels.
    symbol_size: Union[float, Names]


class Style(Classes, Symbols, total=False):
    """Symbols, colours and labels of data, or of layers of a web map.

    >>> style: Style = {"color_by": "Counties: unemployment_rate", "classes": 4, "ramp": "viridis"}
    """

    #: A file with the rules, symbols and labels of a style (SLD), as ``"FILE"`` or ``"FILE#NAME"``.
    style: Names
    #: The field for colours: classes of numbers, or a colour for each text. ``"LAYER: FIELD"`` names a layer.
    color_by: Names
    #: A colour, or a symbol or renderer in Esri's JSON.
    symbol: Union[str, Mapping[str, Any], Sequence[Union[str, Mapping[str, Any]]]]
    #: The field for the sizes of points, or the widths of lines.
    size_by: Names
    #: The field for labels.
    label: Names


class Layout(TypedDict, total=False):
    """Parts of the image around the map.

    >>> layout: Layout = {"title": "Cities", "legend": "right", "scale_bar": True}
    """

    #: A JSON file with fields of a layout, which the other options replace.
    template: str
    title: str
    #: The line below the title.
    subtitle: str
    #: Whether a legend is drawn, or its position, such as ``"bottom-left"`` or ``"corner"``.
    legend: Union[bool, str]
    #: The title of the legend, instead of the layer's.
    legend_title: str
    #: Whether the legend lists only classes with a feature in the view.
    legend_in_view: bool
    #: Whether the legend has the number of drawn features of each class.
    legend_counts: bool
    #: Whether classes of numbers are a bar with the numbers at the breaks.
    legend_bars: bool
    #: Whether the distribution of the numbers is shown in a chart.
    legend_charts: bool
    #: The number of columns of the legend.
    legend_columns: int
    #: Whether a scale bar is drawn, or its units: ``"metric"``, ``"imperial"`` or ``"both"``.
    scale_bar: Union[bool, str]
    #: Whether a small map shows the place of the map in its surroundings.
    locator: bool
    north_arrow: bool
    #: The areas of small maps in corners: bookmarks, layers, features or extents, such as ``"Alaska:bottom-left"``, or
    #: ``"Alaska@3338"`` for a spatial reference of its own.
    inset: Names
    #: Whether the attribution that the data require is drawn, or a text that is drawn with it.
    attribution: Union[bool, str]
    #: Whether a line is drawn around the map.
    frame: bool
    #: The empty border of the page: view pixels, or a length such as ``"10mm"`` or ``"0.5in"``.
    margin: Union[float, str]


class Drawing(TypedDict, total=False):
    """The basemap and the appearance of the image.

    >>> drawing: Drawing = {"basemap": "arcGISTopographic", "basemap_names": True}
    """

    #: A style with a bundled drawing, such as ``"arcGISTopographic"``, to which ``tiles`` gives streets; a MapLibre style in
    #: a file; or tiles: a file, a folder, or a template with ``{z}/{x}/{y}``.
    basemap: str
    #: The language of the names on a basemap over vector tiles, such as ``"fi"``; the local names without it.
    basemap_language: str
    #: Whether no basemap is drawn.
    no_basemap: bool
    #: Whether names of countries, seas and cities are drawn over the layers.
    basemap_names: bool
    #: Whether meridians and parallels are drawn below the layers.
    graticule: bool
    #: The background colour, or ``"none"``.
    background: str
    #: Cells in which points are counted instead of drawn: ``"pixel"``, ``"hexagon"`` or ``"hexagon:24"``.
    aggregate: str
    #: The treatment of missing tiles: ``"blank"``, ``"placeholder"`` or ``"fail"``.
    missing_tiles: str
    #: Files of fonts for labels.
    font: Names
    #: ``"fast"``, or ``"reference"`` to paint everything with Cairo.
    painter: str
    #: Output pixels per inch, 96 to 384, instead of ``pixel_ratio``; also written in PNG and JPEG files.
    dpi: float


class View(Place, Reading, Style, Layout, Drawing, total=False):
    """Options of a map: those of ``mapstate render``.

    >>> view: View = {"hide": ["Labels"], "pixel_ratio": 2, "basemap": "arcGISStreets"}
    """

    #: Output pixels for each view pixel.
    pixel_ratio: float
    #: The medium of the image: ``"print"`` with 300 pixels per inch, ``"screen"``, or ``"projector"`` with texts, lines and
    #: symbols of 1.5 times the size. The tool calls it ``--for``, which is a word of Python.
    for_: str
    #: The WKID of the map's spatial reference.
    reference: Union[int, str]
    #: The layer for ``definition`` and ``display_filter`` without a name.
    layer: str
    #: Layers: drawn alone, hidden or shown, besides the document's.
    only: Names
    hide: Names
    show: Names
    #: ``"document"``, ``"definition"``, ``"display"`` or ``"none"``: the filters of the document that apply.
    filters: str
    #: SQL conditions that features must meet to be drawn and counted, ``"SQL"`` or ``"LAYER: SQL"``: the definition
    #: expressions of layers.
    definition: Names
    #: SQL conditions that are added by AND to the definition expressions.
    where: Names
    #: SQL conditions that features must meet to be drawn.
    display_filter: Names
    #: A time, or start and end.
    time: Union[Time, Tuple[Time, Time]]
    #: The current time of filters and expressions; that of the system clock by default.
    now: Time
    #: The features of a drawing document that has none.
    data: str
    #: Archives of tiles for the sources of a MapLibre style, ``"FILE"`` or ``"SOURCE=FILE"``.
    tiles: Names
    #: Layers of styles whose features are in ids of SVG files and in records of tests.
    ids_of: Names
    #: Whether layers that cannot be read are left out, with a warning.
    skip_unavailable: bool


class Access(TypedDict, total=False):
    """What a map may read, and the threads that paint it.

    >>> access: Access = {"allow_path": ["/data"], "threads": 1}
    """

    #: A JSON file with replacements for services.
    services: File
    #: Further folders that the document may read.
    allow_path: Sequence[File]
    #: Whether the document may name hosts of private networks.
    allow_private: bool
    #: Hosts that requests may reach, and hosts that they may not: ``"example.org"`` or ``"*.example.org"``.
    allow_host: Names
    deny_host: Names
    #: Whether services without encryption are asked.
    allow_http: bool
    #: The greatest number of bytes that are fetched from a file on a server; 256 MiB by default.
    max_download: int
    #: Whether tiles, styles and portal items are fetched; tiles are kept in the user's cache folder.
    online: bool
    #: The portal of sources ``"item:ID"`` and of items that documents name; ArcGIS Online by default.
    portal: str
    #: Whether no requests are sent, and only files and kept tiles are used.
    offline: bool
    #: A folder that keeps the answers of services, and one that gives them again.
    record: File
    #: Whether the answers that the folder ``record`` already has are used.
    resume: bool
    replay: File
    #: The number of painting threads; all cores by default. The image stays the same.
    threads: int


class Options(View, Access, total=False):
    """Options of :func:`mapstate.open` and :func:`mapstate.render`.

    >>> options: Options = {"size": (1200, 800), "legend": True, "threads": 1}
    """

    #: Width and height in view pixels.
    size: Numbers


class Added(Reading, Classes, Symbols, total=False):
    """Further options of :meth:`mapstate.Map.add`.

    >>> added: Added = {"classes": 4, "ramp": "viridis", "source_reference": 25832}
    """

    #: A file with the rules, symbols and labels of a style (SLD), as ``"FILE"`` or ``"FILE#NAME"``.
    style: Names


class Question(TypedDict, total=False):
    """Options of questions. Without ``extent``, ``geometry`` or ``everywhere``, they search the view.

    >>> question: Question = {"extent": (5, 45, 15, 55), "where": "POP_RANK = 1"}
    """

    #: West, south, east and north in degrees, or four coordinates and their WKID. An array such as
    #: ``frame.total_bounds`` is allowed.
    extent: Numbers
    #: Whether all features are searched.
    everywhere: bool
    #: Whether features must be in the view, with ``geometry``.
    in_view: bool
    #: An SQL condition.
    where: str
    #: A CQL2 condition, as text or JSON.
    cql2: Union[str, Mapping[str, Any]]
    #: ``"sensitive"`` or ``"insensitive"`` names of fields in ``cql2``.
    property_case: str
    #: GeoJSON, a shapely geometry, or the path of a file with one geometry.
    geometry: Any
    #: The spatial relation of features to ``geometry``, such as ``"within"``.
    relation: str
    #: The object ids of the features.
    object_ids: Sequence[int]
    #: A time, or start and end.
    time: Union[Time, Tuple[Time, Time]]

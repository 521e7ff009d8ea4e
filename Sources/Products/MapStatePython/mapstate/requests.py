"""The options of maps and questions, for editors and type checkers, and their form in requests."""

from __future__ import annotations

import datetime
import os
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple, TypedDict, Union

Numbers = Union[Sequence[float], Any]
Names = Union[str, Sequence[str]]


class Place(TypedDict, total=False):
    """Options that move a view; the first four exclude each other."""

    #: ``"LATITUDE,LONGITUDE,SCALE"``, such as ``"50,12,20000000"``.
    viewpoint: str
    #: ``{"latitude": …, "longitude": …}``, with ``scale``.
    center: Mapping[str, float]
    #: West, south, east and north in degrees, or four coordinates and their WKID. An array such as
    #: ``frame.total_bounds`` is allowed.
    bounds: Numbers
    #: The layer whose features must fit.
    fit: str
    #: The scale denominator of ``center``.
    scale: float
    #: View pixels left free around ``bounds`` or ``fit``.
    padding: Union[float, Sequence[float]]
    #: Degrees clockwise.
    rotation: float


class View(Place, total=False):
    """Options of a map: those of ``mapstate render``."""

    #: Output pixels for each view pixel.
    pixel_ratio: float
    #: The WKID of the map's spatial reference.
    reference: Union[int, str]
    #: Layers: drawn alone, hidden or shown, besides the document's.
    only: Names
    hide: Names
    show: Names
    #: ``"all"``, ``"definition"``, ``"display"`` or ``"none"``: the filters of the document that apply.
    filters: str
    #: SQL conditions, ``"SQL"`` or ``"LAYER:SQL"``.
    definition: Names
    display_filter: Names
    #: A time, or start and end.
    time: Union[str, datetime.datetime, Tuple[datetime.datetime, datetime.datetime]]
    #: The current time of filters and expressions; that of the system clock by default.
    now: Union[str, datetime.date]
    #: Data files: the WKID of the coordinates, the columns of coordinates, the encoding of texts, the delimiter and the
    #: decimal sign of CSV, whether rows that cannot be read are left out with a warning, and the zoom level of tiles.
    source_reference: Union[int, str]
    x: str
    y: str
    encoding: str
    delimiter: str
    decimal: str
    skip_bad_rows: bool
    tile_zoom: int
    #: Tables whose columns are added to layers by equal keys, ``"FILE:KEY"``, ``"FILE:KEY=FIELD"`` or with ``"LAYER: "``
    #: before it, and whether the first of several rows of a table with one key is taken.
    join: Names
    join_first: bool
    #: Whether layers that cannot be read are left out with a warning.
    skip_unavailable: bool
    #: Styles of data files: fields for colours, sizes and labels, and the classes of colours.
    color_by: str
    normalize_by: str
    classes: int
    method: str
    breaks: Numbers
    ramp: str
    size_by: str
    label: str
    #: Parts of the image around the map.
    title: str
    subtitle: str
    legend: Union[bool, str]
    legend_title: str
    legend_in_view: bool
    legend_counts: bool
    legend_bars: bool
    scale_bar: Union[bool, str]
    north_arrow: bool
    attribution: bool
    frame: bool


class Options(View, total=False):
    """Options of :func:`mapstate.open` and :func:`mapstate.render`; :class:`mapstate.Map` describes the first ones."""

    size: Numbers
    services: Union[str, "os.PathLike[str]", None]
    allow_path: Sequence[Union[str, "os.PathLike[str]"]]
    allow_private: bool
    allow_http: bool
    threads: Optional[int]


class Question(TypedDict, total=False):
    """Options of questions. Without ``extent``, ``geometry`` or ``everywhere``, they search the view."""

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
    time: Union[str, datetime.datetime, Tuple[datetime.datetime, datetime.datetime]]


def fields_of(options: Mapping[str, Any]) -> Dict[str, Any]:
    """Returns options as fields of a step; options with the value None are left out."""
    fields = {_camel(name): _plain(value) for name, value in options.items() if value is not None}
    time = fields.get("time")
    if isinstance(time, list) and len(time) == 2:
        fields["time"] = "/".join(map(str, time))
    return fields


def names_of(value: Names) -> List[str]:
    """Returns one name or several as a list."""
    return [value] if isinstance(value, str) else list(value)


def _camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(part.capitalize() for part in rest)


def _plain(value: Any) -> Any:
    """Returns a value as JSON has it: tuples and arrays as lists, geometries as GeoJSON, times as texts."""
    if hasattr(value, "__geo_interface__"):
        return value.__geo_interface__
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    if isinstance(value, (datetime.date, datetime.datetime)):
        return value.isoformat()
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    # Arrays and numbers of numpy and pandas.
    if hasattr(value, "tolist"):
        return value.tolist()
    return value

"""Options as fields of requests, and the names of options in messages."""

from __future__ import annotations

import os
import re
import sys
from typing import TYPE_CHECKING, Any, Dict, FrozenSet, Iterable, List, Mapping, Optional

from .errors import UsageError

if TYPE_CHECKING:
    from .options import Names

#: Options with conditions, which must not be empty.
_CONDITIONS = ("where", "cql2", "having")
#: Names that other packages give to options.
_OTHER_NAMES = {
    "alpha": "opacity", "bbox": "bounds", "bins": "breaks", "c": "color_by", "categorical": "color_by",
    "cmap": "ramp", "color": "symbol", "column": "color_by", "columns": "fields", "copyright": "attribution",
    "credits": "attribution", "crs": "source_reference", "ec": "outline", "edgecolor": "outline", "figsize": "size",
    "fill_opacity": "opacity", "filter": "where", "k": "classes", "lat": "y", "latitude": "y", "limit": "max_features",
    "linewidth": "outline_width", "location": "center", "lon": "x", "longitude": "x", "lw": "outline_width",
    "markersize": "symbol_size", "missing_kwds": "no_data_color", "name": "title", "palette": "ramp", "query": "where",
    "s": "symbol_size", "scheme": "method", "size": "symbol_size", "stroke": "outline", "tiles": "basemap",
    "tooltip": "label", "zoom_start": "zoom",
}


def fields_of(options: Mapping[str, Any]) -> Dict[str, Any]:
    """Returns options as fields of a step; options with the value None are left out.

    An empty condition raises a UsageError: a text that lacks its value would otherwise select all features.
    """
    for name in _CONDITIONS:
        if _has_empty_text(options.get(name)):
            raise UsageError(f"{name} is empty; give a condition, or leave the option out")
    fields = {_camel(name): _plain(value) for name, value in options.items() if value is not None}
    time = fields.get("time")
    if isinstance(time, list) and len(time) == 2:
        fields["time"] = "/".join(map(str, time))
    return fields


def _has_empty_text(value: Any) -> bool:
    """Returns whether a value is an empty text, or a list with one."""
    values = value if isinstance(value, (list, tuple)) else [value]
    return any(isinstance(text, str) and not text.strip() for text in values)


def names_of(value: Names) -> List[str]:
    """Returns one name or several as a list."""
    return [value] if isinstance(value, str) else list(value)


def check(options: Mapping[str, Any], known: Iterable[str], function: str) -> None:
    """Raises a UsageError for an option that a function does not have, with the nearest name."""
    known = list(known)
    for name in options:
        if name in known:
            continue
        near = nearest(name, known)
        advice = f'; did you mean "{near}"?' if near else "; available: " + ", ".join(sorted(known))
        raise UsageError(f'{function} has no option "{name}"{advice}', suggestion=near)


def nearest(name: str, known: Iterable[str]) -> Optional[str]:
    """Returns the name that is meant by another; None if there is none."""
    import difflib

    known = list(known)
    other = _OTHER_NAMES.get(name)
    if other in known:
        return other
    folded = {option.replace("_", ""): option for option in known}
    near = difflib.get_close_matches(name.replace("_", "").lower(), folded, n=1)
    return folded[near[0]] if near else None


def spelled(text: str, names: Mapping[str, str] = {}) -> str:
    """Returns a message with the names of options as Python spells them: ``--basemap-names`` is ``basemap_names``.

    Args:
        names: The names that replace the paths of files.
    """
    for path, name in names.items():
        text = text.replace(path, name)
    known = _known_options()

    def option(match: "re.Match[str]") -> str:
        name = _known_name(match.group(1).replace("-", "_"), known)
        return name or match.group(0)

    def quoted(match: "re.Match[str]") -> str:
        name = _snake(match.group(2))
        return f"{match.group(1)}{name}{match.group(3)}" if name in known else match.group(0)

    text = re.sub(r"(?<![\w-])--([a-z][a-z0-9]*(?:-[a-z0-9]+)*)", option, text)
    text = re.sub(r'(")([a-z]+(?:[A-Z][a-z0-9]*)+)(")', quoted, text)
    return re.sub(r"(?<![\w.])(\$\.)([A-Za-z]+[0-9]?)(?![\w.\[])()", lambda m: _snake(m.group(2)), text)


def _known_options() -> FrozenSet[str]:
    from . import options

    names = {"group_by", "order_by", "having", "top", "bins", "by_field", "by_time", "grid", "frame_time",
             "max_features", "max_offset", "out_wkid", "by_class"}
    for table in (options.Options, options.Question):
        names.update(table.__annotations__)
    return frozenset(names)


def _known_name(name: str, known: FrozenSet[str]) -> Optional[str]:
    """Returns the name of an option; an option that is a word of Python ends with ``_``."""
    return next((option for option in (name, name + "_") if option in known), None)


def _camel(name: str) -> str:
    first, *rest = name.rstrip("_").split("_")
    return first + "".join(part.capitalize() for part in rest)


def _snake(name: str) -> str:
    return re.sub(r"([A-Z])", lambda match: "_" + match.group(1).lower(), name)


def _plain(value: Any) -> Any:
    """Returns a value as JSON has it: tuples and arrays as lists, geometries as GeoJSON, times as texts."""
    if isinstance(value, (str, int, float, dict)):
        return value
    if hasattr(value, "__geo_interface__"):
        return value.__geo_interface__
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    datetime = sys.modules.get("datetime")
    if datetime is not None and isinstance(value, (datetime.date, datetime.datetime)):
        return value.isoformat()
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    # Arrays and numbers of numpy and pandas.
    if hasattr(value, "tolist"):
        return value.tolist()
    return value

"""Data in memory as files that the library reads."""

from __future__ import annotations

import json
import re
import warnings
from typing import TYPE_CHECKING, Any, Callable

from .errors import InputError, MapStateWarning, UsageError
from .session import frames_of_package

if TYPE_CHECKING:
    from pathlib import Path


#: The name of layers whose data have none.
_NAME = "features"


def name_of(data: Any) -> str:
    """Returns the name of data for their layer, with characters that file names may have.

    A frame has it in ``attrs`` as ``title`` or ``name``, a GeoSeries as its name, and GeoJSON as ``title`` or ``name``.
    """
    if hasattr(data, "to_crs") and not hasattr(data, "columns"):
        # The usual name of the column of geometries names no data.
        found = [data.name if getattr(data, "name", None) != "geometry" else None]
    else:
        members = data if isinstance(data, dict) else getattr(data, "attrs", None)
        found = [members.get("title"), members.get("name")] if isinstance(members, dict) else []
    name = next((name for name in found if isinstance(name, str)), "")
    return re.sub(r"[^\w ().-]+", "_", name).strip(" ._")[:80] or _NAME


def written(data: Any, folder: Path) -> str:
    """Writes data to a file in a folder, and returns its path; the file has the name of the data.

    With pyarrow, frames and tables are written as Arrow and keep all types. Without it, a GeoDataFrame is written as
    GeoJSON in WGS 84 and a DataFrame as CSV. Named levels of an index are written as columns.
    """
    name = name_of(data)
    if hasattr(data, "to_crs"):
        if not hasattr(data, "columns"):  # a GeoSeries
            data = data.to_frame("geometry")
        return _written_places(_with_index(data), folder, name)
    if hasattr(data, "fetch_arrow_table"):  # a relation of DuckDB
        _pyarrow("this relation")
        read = data.to_arrow_table if hasattr(data, "to_arrow_table") else data.fetch_arrow_table
        return _written_table(read(), folder, name)
    if hasattr(data, "to_csv"):
        frame = _with_index(data)
        table = _table_of_frame(frame)
        if table is not None:
            return _written_table(table, folder, name)
        path = folder / f"{name}.csv"
        frame.to_csv(path, index=False)
        return str(path)
    if hasattr(data, "collect") and hasattr(data, "lazy"):  # a LazyFrame of polars
        data = data.collect()
    if hasattr(data, "__arrow_c_stream__"):
        return _written_table(_pyarrow("this table").table(data), folder, name)
    geojson = _geojson(data)
    if geojson is not None:
        path = folder / f"{name}.geojson"
        path.write_text(json.dumps(geojson))
        return str(path)
    raise UsageError(
        f"a map cannot be made of a {type(data).__name__}; give a path, an address, a frame, a table or GeoJSON"
    )


def _geojson(data: Any) -> Any:
    """Returns GeoJSON, or a document in Esri's JSON; None for other data."""
    if hasattr(data, "__geo_interface__"):
        return data.__geo_interface__
    if isinstance(data, dict) and ("type" in data or "operationalLayers" in data or "drawingInfo" in data):
        return data
    if isinstance(data, (list, tuple)) and data:
        features = [_geojson(item) for item in data]
        if all(isinstance(item, dict) and "type" in item for item in features):
            features = [
                item if item["type"] == "Feature" else {"type": "Feature", "properties": {}, "geometry": item}
                for item in features
            ]
            return {"type": "FeatureCollection", "features": features}
    return None


def _written_places(frame: Any, folder: Path, name: str) -> str:
    """Writes a GeoDataFrame, in its own spatial reference if that has a code."""
    if frame.crs is None:
        raise UsageError("the GeoDataFrame has no spatial reference; set it with set_crs")
    if frame.crs.to_epsg() is None:
        frame = frame.to_crs(4326)
    try:
        import pyarrow

        table = _converted(frame, lambda frame: pyarrow.table(frame.to_arrow(index=False)))
        return _written_table(table, folder, name)
    except (ImportError, AttributeError):
        pass  # without pyarrow, or with geopandas before 1.0
    path = folder / f"{name}.geojson"
    path.write_text(frame.to_crs(4326).to_json(default=str))
    return str(path)


def _table_of_frame(frame: Any) -> Any:
    """Returns a DataFrame as a pyarrow Table; None without pyarrow."""
    try:
        import pyarrow
    except ImportError:
        return None
    return _converted(frame, lambda frame: pyarrow.Table.from_pandas(frame, preserve_index=False))


def _with_index(frame: Any) -> Any:
    """Returns a frame that has the named levels of its index as columns, too."""
    names = getattr(getattr(frame, "index", None), "names", ())
    if all(name is None for name in names):
        return frame
    index, frame = frame.index, frame.copy(deep=False)
    for level, name in enumerate(names):
        if name is None:
            continue
        if str(name) in map(str, frame.columns):
            _warn(f'the index "{name}" is left out, because a column has this name; rename one of them')
        else:
            frame[name] = index.get_level_values(level)
    return frame


def _converted(frame: Any, convert: Callable[[Any], Any]) -> Any:
    """Returns a frame as a pyarrow Table; only columns that pyarrow refuses are changed."""
    import pyarrow

    try:
        return convert(frame)
    except (pyarrow.ArrowException, OverflowError, TypeError):
        return convert(_convertible(frame))


def _convertible(frame: Any) -> Any:
    """Returns a frame whose columns pyarrow can convert."""
    is_places, frame = hasattr(frame, "to_crs"), frame.copy(deep=False)
    for name in frame.columns:
        column = frame[name]
        if is_places and str(column.dtype) == "geometry":
            continue
        # Only a sparse column has this accessor.
        frame[name] = _convertible_column(column.sparse.to_dense() if hasattr(column, "sparse") else column, name)
    return frame


def _convertible_column(column: Any, name: Any) -> Any:
    """Returns a column that pyarrow can convert: the same one, or its values as texts."""
    import pyarrow

    try:
        pyarrow.array(column, from_pandas=True)
        return column
    except (pyarrow.ArrowException, OverflowError, TypeError):
        values = column.dropna()
    if all(isinstance(value, (int, float)) for value in values) and any(map(_is_too_large, values)):
        raise InputError(
            f'column "{name}": a whole number does not fit in 64 bits; convert the column with astype(float) or astype(str)'
        )
    # Texts of geometries (WKT) lose nothing.
    if not all(hasattr(value, "__geo_interface__") for value in values):
        types = " and ".join(sorted({type(value).__name__ for value in values}))
        _warn(f'column "{name}" is read as text, because it has values of type {types}')
    return column.astype(object).map(str, na_action="ignore")


def _is_too_large(value: Any) -> bool:
    return isinstance(value, int) and not -(2**63) <= value < 2**63


def _warn(text: str) -> None:
    warnings.warn(text, MapStateWarning, stacklevel=frames_of_package())


def _written_table(table: Any, folder: Path, name: str) -> str:
    pyarrow = _pyarrow("this table")
    path = folder / f"{name}.arrow"
    with pyarrow.OSFile(str(path), "wb") as file, pyarrow.ipc.new_file(file, table.schema) as writer:
        writer.write_table(table)
    return str(path)


def _pyarrow(what: str) -> Any:
    try:
        import pyarrow
    except ImportError as error:
        raise ImportError(f"{what} has the Arrow interface; install pyarrow to draw it") from error
    return pyarrow

"""Data in memory as files that the library reads."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from .errors import UsageError

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
    GeoJSON in WGS 84 and a DataFrame as CSV.
    """
    name = name_of(data)
    if hasattr(data, "to_crs"):
        if not hasattr(data, "columns"):  # a GeoSeries
            data = data.to_frame("geometry")
        return _written_places(data, folder, name)
    if hasattr(data, "fetch_arrow_table"):  # a relation of DuckDB
        _pyarrow("this relation")
        read = data.to_arrow_table if hasattr(data, "to_arrow_table") else data.fetch_arrow_table
        return _written_table(read(), folder, name)
    if hasattr(data, "to_csv"):
        table = _table_of_frame(data)
        if table is not None:
            return _written_table(table, folder, name)
        path = folder / f"{name}.csv"
        data.to_csv(path, index=False)
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

        return _written_table(pyarrow.table(frame.to_arrow(index=False)), folder, name)
    except (ImportError, AttributeError):
        pass  # without pyarrow, or with geopandas before 1.0
    path = folder / f"{name}.geojson"
    path.write_text(frame.to_crs(4326).to_json(default=str))
    return str(path)


def _table_of_frame(frame: Any) -> Any:
    """Returns a DataFrame as a pyarrow Table; None if that is not possible."""
    try:
        import pyarrow
    except ImportError:
        return None
    try:
        return pyarrow.Table.from_pandas(frame, preserve_index=False)
    except (pyarrow.ArrowInvalid, pyarrow.ArrowTypeError, pyarrow.ArrowNotImplementedError):
        return None  # a column of several types, which CSV has as text


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

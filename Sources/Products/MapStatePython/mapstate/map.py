"""Maps: open, filter, count, query and draw."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, Dict, List, Mapping, Optional, Sequence, Union

from .errors import UsageError
from .image import Image
from .layers import Layer, Layers
from .requests import fields_of, names_of
from .session import Session
from .sources import written

if TYPE_CHECKING:
    import pandas
    import pyarrow
    from typing_extensions import Unpack

    from .requests import Numbers, Options, Place, Question, View

#: A file, the address of a service, or data in memory: a GeoDataFrame, a DataFrame with coordinate columns, or any table
#: with the Arrow interface, such as those of pyarrow, polars and DuckDB.
Source = Union[str, "os.PathLike[str]", Any]
#: A layer, or its title, id or index.
LayerName = Union[str, int, Layer, None]


class Map:
    """An open map: a web map, or a map of one data source.

    Questions select the features that a layer's definition expression leaves. They search the view unless ``extent`` or
    ``everywhere`` says otherwise. Display filters change images and not answers.
    """

    def __init__(
        self,
        source: Source,
        *,
        size: Numbers = (800, 600),
        services: Union[str, "os.PathLike[str]", None] = None,
        allow_path: Sequence[Union[str, "os.PathLike[str]"]] = (),
        allow_private: bool = False,
        allow_http: bool = False,
        threads: Optional[int] = None,
        **view: Unpack[View],
    ):
        """Opens a source.

        Args:
            source: A web map or data file, the address of a service, or data in memory: a GeoDataFrame, a DataFrame with
                columns of longitude and latitude, or any table with the Arrow interface (pyarrow, polars, DuckDB).
            size: Width and height in view pixels.
            services: A JSON file with replacements for services.
            allow_path: Further folders that the document may read.
            allow_private: Whether the document may name hosts of private networks.
            allow_http: Whether services without encryption are asked.
            threads: The number of painting threads; all cores by default. The image stays the same.
            view: Options of ``mapstate render``, such as ``viewpoint="50,12,20000000"``, ``bounds=(5, 45, 15, 55)``,
                ``pixel_ratio=2``, ``hide=["Labels"]``, ``color_by="rate"`` or ``legend=True``;
                :class:`mapstate.requests.View` lists them.
        """
        self._folder: Optional[tempfile.TemporaryDirectory[str]] = None
        options: Dict[str, Any] = {"allowPrivate": allow_private, "allowHttp": allow_http}
        if services is not None:
            options["services"] = os.fspath(services)
        if allow_path:
            options["allowPath"] = [os.fspath(path) for path in allow_path]
        if threads is not None:
            options["threads"] = threads
        self._session = Session(**options)
        try:
            answer = self._session.ask("open", source=self._file(source), **fields_of({"size": size, **view}))
        except BaseException:
            self.close()
            raise
        #: Notes on joined tables (rows without a partner, fields with new names) and on the zoom level of tiles.
        self.notes: List[str] = answer.get("notes", [])
        #: The layers by title, id or index, bottom first.
        self.layers = Layers([Layer(self._session, index, item) for index, item in enumerate(answer["layers"])])

    def _file(self, source: Source) -> str:
        if isinstance(source, (str, os.PathLike)):
            return os.fspath(source)
        self._folder = tempfile.TemporaryDirectory(prefix="mapstate-")
        return written(source, Path(self._folder.name))

    # Questions

    def count(self, layer: LayerName = None, **question: Unpack[Question]) -> int:
        """Returns the number of features of a layer.

        Args:
            layer: The layer; not needed if the map has one layer.
            question: ``extent`` (west, south, east, north; degrees, or a fifth number with the WKID), ``where`` (SQL),
                ``cql2``, ``geometry`` (GeoJSON, a shapely geometry or a file), ``relation``, ``time``, ``in_view``,
                ``everywhere``; :class:`mapstate.requests.Question` describes them.

        Example:
            >>> m.count(extent=(5, 45, 15, 55), where="POP_RANK = 1")
            10
        """
        number: int = self._counted(layer, question)["count"]
        return number

    def counts(self, **question: Unpack[Question]) -> Dict[str, int]:
        """Returns the number of features of every layer, by title, or by id where layers share a title."""
        answer = self._session.ask("count", **self._question(question))
        # The layers of a file that has several kinds of geometries are counted as one.
        names = [item["layer"] for item in answer["layers"]]
        if len(names) == len(self.layers):
            names = list(self.layers)
        return dict(zip(names, (item["count"] for item in answer["layers"])))

    def funnel(self, layer: LayerName = None, **question: Unpack[Question]) -> Dict[str, Optional[int]]:
        """Returns the number of a layer's features that pass each stage, from ``total`` to ``drawn`` and ``edge``.

        Features of the stage ``invisible`` change no pixel of the image.

        Example:
            >>> m.funnel("Incidents")["drawn"]
            991
        """
        stages: Dict[str, Optional[int]] = self._counted(layer, question, funnel=True)["funnel"]
        return stages

    def _counted(self, layer: LayerName, question: Mapping[str, Any], **more: Any) -> Dict[str, Any]:
        answer = self._session.ask("count", **self._one(layer), **self._question(question), **more)
        layers: List[Dict[str, Any]] = answer["layers"]
        return layers[0]

    def statistics(
        self,
        statistics: Union[str, Sequence[str]],
        *,
        layer: LayerName = None,
        group_by: Union[str, Sequence[str]] = (),
        order_by: Union[str, Sequence[str]] = (),
        **question: Unpack[Question],
    ) -> "pandas.DataFrame":
        """Returns statistics as a DataFrame with one row per group.

        Args:
            statistics: Such as ``"average:rate:mean"``, ``["sum:POP", "count:CITY_NAME"]`` or ``"all:POP"``.
            layer: The layer; not needed if the map has one layer.
            group_by: Fields whose values make the groups.
            order_by: Fields, with ``:desc`` for descending order.
            question: As of :meth:`count`.
        """
        answer = self._session.ask(
            "statistics",
            statistics=names_of(statistics),
            groupBy=names_of(group_by),
            orderBy=names_of(order_by),
            **self._one(layer),
            **self._question(question),
        )
        rows = [{**record["group"], **record["statistics"]} for record in answer["records"]]
        return _pandas().DataFrame(rows)

    def query(
        self,
        *,
        layer: LayerName = None,
        fields: Union[str, Sequence[str]] = (),
        order_by: Union[str, Sequence[str]] = (),
        offset: int = 0,
        max_features: int = 0,
        geometry_column: bool = True,
        format: str = "pandas",
        **question: Unpack[Question],
    ) -> Union["pandas.DataFrame", "pyarrow.Table"]:
        """Returns features as a GeoDataFrame in WGS 84, or as a DataFrame without geopandas.

        The index holds the object ids. Without geopandas, the column ``geometry`` holds GeoJSON. With
        ``format="pyarrow"``, the answer is a pyarrow Table with exact types, in the spatial reference of the data.

        Args:
            layer: The layer; not needed if the map has one layer.
            fields: The fields to return; all by default.
            order_by: Fields, with ``:desc`` for descending order.
            offset: The number of features to skip.
            max_features: The largest number of features; 0 is no limit.
            geometry_column: Whether to return geometries.
            format: ``"pandas"`` or ``"pyarrow"``.
            question: As of :meth:`count`.
        """
        if format not in ("pandas", "pyarrow"):
            raise UsageError(f"the format {format!r} is unknown; use 'pandas' or 'pyarrow'")
        answer, stream = self._session.ask_data(
            "query",
            format="arrow" if format == "pyarrow" else "geojson",
            outFields=names_of(fields),
            orderBy=names_of(order_by),
            offset=offset,
            maxFeatures=max_features,
            returnsGeometry=geometry_column,
            **self._one(layer),
            **self._question(question),
        )
        if stream is not None:
            import pyarrow

            return pyarrow.ipc.open_stream(stream).read_all()
        features = answer["features"]
        index = _pandas().Index([feature.get("id") for feature in features], name="id")
        if geometry_column:
            try:
                import geopandas
            except ImportError:
                pass
            else:
                if features:
                    return geopandas.GeoDataFrame.from_features(features, crs="EPSG:4326").set_index(index)
                return geopandas.GeoDataFrame({"geometry": []}, crs="EPSG:4326")
        rows = [dict(feature["properties"]) for feature in features]
        if geometry_column:
            rows = [{"geometry": feature["geometry"], **row} for feature, row in zip(features, rows)]
        return _pandas().DataFrame(rows, index=index)

    # Images

    def render(self, path: Union[str, "os.PathLike[str]", None] = None) -> Image:
        """Draws the view, and writes it to a file if a path is given.

        The ending of the path chooses the format: png, svg, pdf, jpg or webp. The same map gives the same bytes as
        ``mapstate render``. The image that is returned is a PNG.
        """
        answer, png = self._session.ask_data("render")
        image = Image(png or b"", answer["report"])
        if path is None:
            return image
        if os.fspath(path).lower().endswith(".png"):
            image.save(path)
        else:
            self._session.ask("render", output=os.fspath(path))
        return image

    def _repr_png_(self) -> bytes:
        return self.render().png

    # The view

    def set_view(self, **place: Unpack[Place]) -> Dict[str, Any]:
        """Moves the view, and returns its ``scale``, ``extent`` and ``visibleArea``.

        Args:
            place: One of ``viewpoint="LAT,LON,SCALE"``, ``center={"latitude": …, "longitude": …}`` with ``scale``,
                ``bounds=(west, south, east, north)`` and ``fit="LAYER"``; also ``padding`` and ``rotation``.
        """
        return _moved(self._session.ask("viewpoint", **fields_of(place)))

    def pan(self, right: float, down: float) -> Dict[str, Any]:
        """Moves the view by view pixels."""
        return _moved(self._session.ask("pan", by=[right, down]))

    def zoom(self, factor: float) -> Dict[str, Any]:
        """Zooms in by a factor above 1, and out by a factor below 1."""
        return _moved(self._session.ask("zoom", by=factor))

    def identify(self, x: float, y: float, *, tolerance: float = 0, maximum: int = 1) -> List[Dict[str, Any]]:
        """Returns the features of each layer at a place in view pixels, topmost first."""
        answer = self._session.ask("identify", at=[x, y], tolerance=tolerance, maximum=maximum)
        layers: List[Dict[str, Any]] = answer["layers"]
        return layers

    def ask(self, step: str, **fields: Any) -> Dict[str, Any]:
        """Performs a step of ``mapstate run`` with its own field names, and returns the answer."""
        return self._session.ask(step, **fields)

    # Closing

    def close(self) -> None:
        """Closes the map and frees its memory."""
        self._session.close()
        if self._folder is not None:
            self._folder.cleanup()

    def __enter__(self) -> "Map":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<Map with {len(self.layers)} layers: {', '.join(self.layers)}>"

    # Requests

    def _one(self, layer: LayerName) -> Dict[str, Any]:
        if layer is None:
            if len(self.layers) != 1:
                raise UsageError(
                    f"the map has {len(self.layers)} layers; name one with layer=: "
                    + ", ".join(f'"{name}"' for name in self.layers)
                )
            return {}
        found = layer if isinstance(layer, Layer) else self.layers[layer]
        return {"layer": str(found._index)}

    @staticmethod
    def _question(question: Mapping[str, Any]) -> Dict[str, Any]:
        fields = fields_of(question)
        if "extent" in fields:
            fields["bounds"] = fields.pop("extent")
        return fields


def open(source: Source, **options: Unpack[Options]) -> Map:
    """Opens a map or data; :class:`Map` describes the options."""
    return Map(source, **options)


def render(source: Source, path: Union[str, "os.PathLike[str]", None] = None, **options: Unpack[Options]) -> Image:
    """Opens a map or data and draws it; :class:`Map` describes the options.

    Example:
        >>> ms.render(counties, color_by="unemployment_rate", size=(1200, 800))
    """
    with Map(source, **options) as opened:
        return opened.render(path)


def _moved(answer: Dict[str, Any]) -> Dict[str, Any]:
    return {name: answer[name] for name in ("scale", "rotation", "extent", "wkid", "visibleArea")}


def _pandas() -> Any:
    try:
        import pandas
    except ImportError as error:
        raise ImportError("this answer is a DataFrame; install pandas, or use ask()") from error
    return pandas

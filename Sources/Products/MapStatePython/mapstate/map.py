"""Maps: open, filter, count, query and draw."""

from __future__ import annotations

import io
import os
import weakref
from typing import TYPE_CHECKING, Any, Dict, List, Mapping, Optional, Sequence, Tuple, Union

from . import options as tables
from .errors import UsageError
from .image import Image, write
from .layers import Layer, Layers
from .requests import check, fields_of, names_of, nearest
from .session import Progress, Session
from .sources import written

if TYPE_CHECKING:
    import pandas
    import pyarrow
    from typing_extensions import Unpack

    from .options import Added, File, Layout, Names, Numbers, Options, Place, Question

#: A file, the address of a service or database, or data in memory: a GeoDataFrame, a DataFrame with coordinate columns,
#: any table with the Arrow interface, such as those of pyarrow, polars and DuckDB, or GeoJSON as a dictionary.
Source = Union[str, "os.PathLike[str]", Any]
#: A layer, or its title, id or index.
LayerName = Union[str, int, Layer, None]

_ACCESS = tuple(tables.Access.__annotations__)
_OPTIONS = tuple(tables.Options.__annotations__)


class Map:
    """A map: a web map, a map of one data source, or an empty map to which :meth:`add` adds layers.

    Questions select the features that a layer's definition expression leaves. They search the view unless ``extent`` or
    ``everywhere`` says otherwise. Display filters change images and not answers.

    Example:
        >>> m = ms.Map(basemap="arcGISTopographic", size=(600, 400), legend=True)
        >>> m.add("Styles/data/us-states.geojson", title="States", symbol="#eeeeee")
        <Map with 1 layer: States>
        >>> m.add("Styles/data/us-counties.geojson", title="Rates", color_by="unemployment_rate")
        <Map with 2 layers: States, Rates>
        >>> m.save("rates.png")
    """

    def __init__(self, source: Source = None, **options: Unpack[Options]):
        """Opens a source, or creates an empty map.

        Args:
            source: A web map or data file, the address of a service, or data in memory: a GeoDataFrame, a DataFrame with
                columns of longitude and latitude, any table with the Arrow interface (pyarrow, polars, DuckDB), or
                GeoJSON as a dictionary. None is an empty map.
            options: Options of ``mapstate render``, such as ``viewpoint="50,12,20000000"``, ``bounds=(5, 45, 15, 55)``,
                ``size=(1200, 800)``, ``pixel_ratio=2``, ``hide=["Labels"]``, ``where="rate > 5"``,
                ``color_by="rate"``, ``legend=True`` or ``basemap="arcGISTopographic"``;
                :class:`mapstate.options.Options` describes them.
        """
        check(options, _OPTIONS, "Map")
        self._folder: Optional[str] = None
        self._removal: Optional["weakref.finalize[..., Map]"] = None
        self._files = 0
        access = {name: options[name] for name in _ACCESS if options.get(name) is not None}  # type: ignore[literal-required]
        self._session = Session(**fields_of(access))
        fields = fields_of({name: value for name, value in options.items() if name not in _ACCESS})
        if "center" in fields:
            # A centre and its scale are one viewpoint.
            place = {name: fields.pop(name) for name in ("center", "scale", "zoom") if name in fields}
            if "viewpoint" in fields:
                raise UsageError("viewpoint and center exclude each other; give one of them")
            fields["viewpoint"] = place
        try:
            if source is not None:
                fields["source"] = self._file(source, "source")
            answer = self._session.ask("open", **fields)
        except BaseException:
            self.close()
            raise
        #: Notes on joined tables (rows without a partner, fields with new names) and on the zoom level of tiles.
        self.notes: List[str] = answer.get("notes", [])
        #: The layers by title, id or index, bottom first.
        self.layers = Layers([])
        self._read(answer)

    def __setattr__(self, name: str, value: Any) -> None:
        if "layers" in self.__dict__ and name not in self.__dict__:
            raise AttributeError(f'a map has no property "{name}"{_advice_on_property(name)}')
        super().__setattr__(name, value)

    def _file(self, source: Source, argument: str) -> str:
        """Returns the path of a file with the source; data in memory are written to one, which messages do not name."""
        if isinstance(source, (str, os.PathLike)):
            return os.fspath(source)
        from pathlib import Path

        if self._folder is None:
            import tempfile

            self._folder = tempfile.mkdtemp(prefix="mapstate-")
            self._removal = weakref.finalize(self, _remove, self._folder, os.getpid())
        self._files += 1
        folder = Path(self._folder, str(self._files))
        folder.mkdir()
        path = written(source, folder)
        self._session.names[path] = argument
        return path

    def _read(self, answer: Mapping[str, Any]) -> None:
        """Takes the layers of an answer that the map does not have yet."""
        known = [self.layers[index] for index in range(len(self.layers))]
        new = [Layer(self._session, index, item) for index, item in enumerate(answer["layers"]) if index >= len(known)]
        self.layers = Layers(known + new)

    def add(
        self,
        data: Source,
        *,
        title: Optional[str] = None,
        color_by: Optional[Names] = None,
        size_by: Optional[Names] = None,
        symbol: Union[str, Mapping[str, Any], Sequence[Union[str, Mapping[str, Any]]], None] = None,
        label: Optional[Names] = None,
        where: Optional[Names] = None,
        attribution: Optional[str] = None,
        **style: Unpack[Added],
    ) -> Map:
        """Adds data or the layers of a web map above the layers of the map, and returns the map.

        The view of a map without ``viewpoint``, ``bounds`` or ``fit`` then shows all layers. Data with several kinds of
        geometries get a layer for each kind. The basemap and the view of a web map are not added. For one of its layers,
        write ``"LAYER: VALUE"``, as in ``color_by="Counties: unemployment_rate"``.

        Args:
            data: As the source of a map: a file, an address, data in memory, or a web map as a path or dictionary.
            title: The title of the layer; its own by default. Of several layers, it comes before their titles.
            color_by: The field for colours: classes of numbers, or a colour for each text.
            size_by: The field for the sizes of points, or the widths of lines.
            symbol: A colour, or a symbol or renderer in Esri's JSON.
            label: The field for labels.
            where: An SQL condition that features must meet, besides the definition expression of the layer.
            attribution: The text that names the source of the data in images with the layer.
            style: ``classes``, ``method``, ``breaks``, ``ramp``, ``colors``, ``opacity``, ``outline``, ``marker``,
                ``symbol_size``, ``normalize_by``, ``x``, ``y``, ``source_reference`` and others;
                :class:`mapstate.options.Added` describes them.

        Example:
            >>> cities = {"type": "Point", "coordinates": [10.75, 59.91]}
            >>> ms.Map(size=(300, 200)).add(cities, title="Oslo", symbol="red")
            <Map with 1 layer: Oslo>
        """
        named = {
            "title": title, "color_by": color_by, "size_by": size_by, "symbol": symbol, "label": label, "where": where,
            "attribution": attribution,
        }
        check(style, [*named, *tables.Added.__annotations__], "add")
        given = {**named, **style}
        answer = self._session.ask("add", source=self._file(data, "data"), **fields_of(given))
        self._read(answer)
        self.notes += answer.get("notes", [])
        return self

    # Questions

    def count(self, layer: LayerName = None, **question: Unpack[Question]) -> int:
        """Returns the number of features of a layer.

        Args:
            layer: The layer; not needed if the map has one layer.
            question: ``extent`` (west, south, east, north; degrees, or a fifth number with the WKID), ``where`` (SQL),
                ``cql2``, ``geometry`` (GeoJSON, a shapely geometry or a file), ``relation``, ``time``, ``in_view``,
                ``everywhere``; :class:`mapstate.options.Question` describes them.

        Example:
            >>> m = ms.open("Styles/world-cities.json")
            >>> m.count(extent=(5, 45, 15, 55), where="POP_RANK <= 3")
            18
        """
        number: int = self._counted(layer, question, "count")["count"]
        return number

    def counts(self, **question: Unpack[Question]) -> Dict[str, int]:
        """Returns the number of features of every layer, by title, or by id where layers share a title.

        Example:
            >>> ms.open("Styles/us-counties.json").counts(everywhere=True)
            {'States': 51, 'Counties': 437}
        """
        answer = self._session.ask("count", **self._question(question, "counts"))
        # The layers of a file that has several kinds of geometries are counted as one.
        names = [item["layer"] for item in answer["layers"]]
        if len(names) == len(self.layers):
            names = list(self.layers)
        return dict(zip(names, (item["count"] for item in answer["layers"])))

    def count_in(
        self, extents: Sequence[Numbers], layer: LayerName = None, **question: Unpack[Question]
    ) -> List[int]:
        """Returns the number of features in each of several extents.

        Example:
            >>> m = ms.open("Styles/world-cities.json")
            >>> m.count_in([(5, 45, 15, 55), (-10, 35, 5, 45)])
            [144, 143]
        """
        fields = self._question(question, "count_in")
        boxes = fields_of({"extents": list(extents)})["extents"]
        counts: List[int] = self._session.ask("count", extents=boxes, **self._one(layer), **fields)["counts"]
        return counts

    def count_by_class(self, layer: LayerName = None, **question: Unpack[Question]) -> Dict[str, int]:
        """Returns the number of features in each class of a layer's renderer, by label.

        Example:
            >>> m = ms.open("Styles/us-counties.json")
            >>> sum(m.count_by_class("Counties", everywhere=True).values())
            437
        """
        classes = self._counted(layer, question, "count_by_class", byClass=True)["classes"]
        counts: Dict[str, int] = {}
        for item in classes:
            name = item.get("label") or str(item.get("class"))
            counts[name] = counts.get(name, 0) + item["count"]
        return counts

    def funnel(self, layer: LayerName = None, **question: Unpack[Question]) -> Dict[str, Optional[int]]:
        """Returns the number of a layer's features that pass each stage, from ``total`` to ``drawn`` and ``edge``.

        Features of the stage ``invisible`` change no pixel of the image.

        Example:
            >>> m = ms.open("Styles/san-francisco-incidents.json")
            >>> m.funnel("Incidents")["drawn"]
            991
        """
        stages: Dict[str, Optional[int]] = self._counted(layer, question, "funnel", funnel=True)["funnel"]
        return stages

    def _counted(
        self, layer: LayerName, question: Mapping[str, Any], function: str, **more: Any
    ) -> Dict[str, Any]:
        answer = self._session.ask("count", **self._one(layer), **self._question(question, function), **more)
        layers: List[Dict[str, Any]] = answer["layers"]
        return layers[0]

    def statistics(
        self,
        statistics: Union[str, Sequence[str]],
        *,
        layer: LayerName = None,
        group_by: Names = (),
        order_by: Names = (),
        having: Optional[str] = None,
        top: Optional[int] = None,
        bins: Optional[str] = None,
        by_time: Optional[str] = None,
        **question: Unpack[Question],
    ) -> "pandas.DataFrame":
        """Returns statistics as a DataFrame with one row per group.

        A column with nulls and whole numbers from 2^53 on has the type Int64 of pandas, which keeps all digits.
        The field ``$area`` is the area of a feature in square metres, and ``$length`` its length in metres.

        Args:
            statistics: Such as ``"average:rate:mean"``, ``["sum:POP", "count:CITY_NAME"]`` or ``"all:POP"``.
            layer: The layer; not needed if the map has one layer.
            group_by: Fields whose values make the groups.
            order_by: Fields, with ``:desc`` for descending order.
            having: An SQL condition on the statistics of groups.
            top: The largest number of rows.
            bins: Cells of points as groups: ``"hexagon:50000"`` or ``"square:50000"`` in units of the map, or
                ``"geohash:5"``. The column ``geometry`` has the cells as GeoJSON.
            by_time: Steps of time as groups: ``"hour"``, ``"day"``, ``"week"``, ``"month"`` or ``"year"``.
            question: As of :meth:`count`.

        Example:
            >>> m = ms.open("Styles/us-counties.json")
            >>> rates = m.statistics(
            ...     "average:unemployment_rate:rate", layer="Counties", group_by="STATE_NAME",
            ...     order_by="rate:desc", top=1, everywhere=True)
            >>> list(rates.columns), len(rates)
            (['STATE_NAME', 'rate'], 1)
        """
        answer = self._session.ask(
            "statistics",
            statistics=names_of(statistics),
            groupBy=names_of(group_by),
            orderBy=names_of(order_by),
            **fields_of({"having": having, "top": top, "bins": bins, "by_time": by_time}),
            **self._one(layer),
            **self._question(question, "statistics"),
        )
        rows = [
            {**record["group"], **record["statistics"], **({"geometry": record["geometry"]} if bins else {})}
            for record in answer["records"]
        ]
        # The answer does not distinguish smaller whole numbers from averages without decimals.
        frame: pandas.DataFrame = _exact(_pandas().DataFrame(rows), rows, least=2**53)
        return frame

    def query(
        self,
        *,
        layer: LayerName = None,
        fields: Names = (),
        order_by: Names = (),
        offset: int = 0,
        max_features: int = 0,
        geometry_column: bool = True,
        out_wkid: Union[int, str, None] = None,
        max_offset: float = 0,
        format: str = "pandas",
        **question: Unpack[Question],
    ) -> Union["pandas.DataFrame", "pyarrow.Table"]:
        """Returns features as a GeoDataFrame in WGS 84, or as a DataFrame without geopandas.

        The index holds the object ids. A column of whole numbers with nulls has the type Int64 of pandas. Without
        geopandas, the column ``geometry`` holds GeoJSON. With ``format="pyarrow"``, the answer is a pyarrow Table with
        exact types, in the spatial reference of the data.

        Args:
            layer: The layer; not needed if the map has one layer.
            fields: The fields to return; all by default.
            order_by: Fields, with ``:desc`` for descending order.
            offset: The number of features to skip.
            max_features: The largest number of features; 0 is no limit.
            geometry_column: Whether to return geometries.
            out_wkid: The WKID of the geometries; 4326 by default.
            max_offset: The largest distance by which lines may be simplified.
            format: ``"pandas"`` or ``"pyarrow"``.
            question: As of :meth:`count`.

        Example:
            >>> m = ms.open("Styles/world-cities.json")
            >>> frame = m.query(fields=["CITY_NAME"], where="POP_RANK = 1", order_by="CITY_NAME", everywhere=True)
            >>> frame["CITY_NAME"].iloc[0]
            'Abidjan'
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
            maxOffset=max_offset,
            **fields_of({"out_wkid": out_wkid}),
            **self._one(layer),
            **self._question(question, "query"),
        )
        if stream is not None:
            import pyarrow

            return pyarrow.ipc.open_stream(stream).read_all()
        features = answer["features"]
        index = _pandas().Index([feature.get("id") for feature in features], name="id")
        rows = [feature["properties"] for feature in features]
        if geometry_column:
            try:
                import geopandas
            except ImportError:
                pass
            else:
                crs = 4326 if out_wkid is None else out_wkid
                if features:
                    return _exact(geopandas.GeoDataFrame.from_features(features, crs=crs).set_index(index), rows)
                return geopandas.GeoDataFrame({"geometry": []}, crs=crs)
        if geometry_column:
            rows = [{"geometry": feature["geometry"], **row} for feature, row in zip(features, rows)]
        return _exact(_pandas().DataFrame(rows, index=index), rows)

    # Images

    def render(
        self,
        path: Optional[File] = None,
        *,
        svg_text: bool = False,
        svg_ids: bool = False,
        world_file: Optional[File] = None,
        save_document: Optional[File] = None,
        list_labels: bool = False,
        progress: Optional[Progress] = None,
    ) -> Image:
        """Draws the view, and writes it to a file if a path is given.

        The ending of the path chooses the format: png, svg, pdf, jpg or webp. The same map gives the same bytes as
        ``mapstate render``. The image that is returned is a PNG.

        Args:
            path: The file.
            svg_text: Whether text in SVG is text; outlines by default.
            svg_ids: Whether features in SVG have their ids.
            world_file: A file with the place of the image, for other programs.
            save_document: A file with the web map that was made of a data file.
            list_labels: Whether the report lists every label.
            progress: Called with the number of parts that are done, and that of all.

        Example:
            >>> m = ms.open("Styles/world-cities.json", size=(300, 200))
            >>> m.render("cities.svg")
            <Image 300x200, … bytes>
        """
        return self._render(path, progress, fields_of({
            "svg_text": svg_text or None, "svg_ids": svg_ids or None, "world_file": world_file,
            "save_document": save_document, "list_labels": list_labels or None,
        }))

    def _render(
        self, path: Optional[File], progress: Optional[Progress] = None, more: Optional[Dict[str, Any]] = None,
        **fields: Any,
    ) -> Image:
        needs_file = path is not None and bool(more)
        if not needs_file:
            answer, png = self._session.ask_data("render", progress=progress, **(more or {}), **fields)
            image = Image(png or b"", answer["report"], _words(answer.get("description")))
            if path is not None and os.fspath(path).lower().endswith(".png"):
                image.save(path)
                return image
        if path is not None:
            self._session.ask("render", output=os.fspath(path), **(more or {}))
        if needs_file:
            answer, png = self._session.ask_data("render", progress=progress, **fields)
            image = Image(png or b"", answer["report"])
        return image

    async def render_async(self, path: Optional[File] = None) -> Image:
        """Draws the view as :meth:`render` does, while other tasks run; cancelling the task ends the drawing.

        Example:
            >>> import asyncio
            >>> m = ms.open("Styles/world-cities.json", size=(300, 200))
            >>> asyncio.run(m.render_async())
            <Image 300x200, … bytes>
        """
        import asyncio

        loop = asyncio.get_running_loop()
        drawing = loop.run_in_executor(None, lambda: self.render(path))
        try:
            return await asyncio.shield(drawing)
        except asyncio.CancelledError:
            self.cancel()
            # The map answers again when the drawing has ended.
            await asyncio.wait([drawing])
            drawing.exception()
            raise

    def save(self, path: File) -> None:
        """Draws the view, and writes it to a file.

        The ending of the path chooses the format: png, svg, pdf, jpg, webp, or html for a page with the image and its
        description.

        Example:
            >>> ms.open("Styles/world-cities.json", size=(300, 200)).save("cities.html")
        """
        if not os.fspath(path).lower().endswith((".html", ".htm")):
            self.render(path)
            return
        import html

        image = self._twofold()
        title = html.escape(image.description.split(". ")[0])
        page = (
            '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
            '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
            f"<title>{title}</title>\n<style>body {{ margin: 0 }} img {{ max-width: 100%; height: auto }}</style>\n"
            f"</head>\n<body>\n{image.html()}\n</body>\n</html>\n"
        )
        write(path, page.encode())

    def _twofold(self) -> Image:
        """Returns an image with two output pixels per view pixel, and its description."""
        return self._render(None, pixelRatio=2, describe=True)

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> Tuple[Dict[str, Any], Dict[str, Any]]:
        bundle, metadata = self._twofold()._repr_mimebundle_()
        return {**bundle, "text/plain": repr(self)}, metadata

    def _repr_png_(self) -> bytes:
        return self._twofold().png

    def legend(
        self,
        path: Optional[File] = None,
        *,
        title: str = "",
        counts: bool = False,
        in_view: bool = False,
        bars: bool = False,
        charts: bool = False,
        columns: Optional[int] = None,
        background: str = "white",
    ) -> bytes:
        """Draws the legend alone, and writes it to a .png or .json file if a path is given.

        Args:
            path: The file.
            title: The title, instead of the layers'.
            counts: Whether each class has its number of drawn features.
            in_view: Whether only classes with a feature in the view are listed.
            bars: Whether classes of numbers are a bar.
            charts: Whether the distribution of the numbers is shown in a chart.
            columns: The number of columns.
            background: The background colour, or ``"none"``.

        Example:
            >>> ms.open("Styles/us-counties.json").legend("legend.png")[:4]
            b'\\x89PNG'
        """
        fields = fields_of({
            "output": path, "title": title, "counts": counts, "in_view": in_view, "bars": bars,
            "charts": charts, "columns": columns, "background": background,
        })
        _, png = self._session.ask_data("legend", **fields)
        if png is None and path is not None:
            with io.open(path, "rb") as file:
                png = file.read()
        return png or b""

    def series(
        self,
        path: File,
        *,
        by: Optional[str] = None,
        by_field: Optional[str] = None,
        by_time: Optional[str] = None,
        grid: Optional[str] = None,
        mute: bool = False,
        statistic: Names = (),
        dpi: Optional[float] = None,
        frame_time: Optional[str] = None,
        loops: Optional[int] = None,
        progress: Optional[Progress] = None,
        **layout: Unpack[Layout],
    ) -> List[Dict[str, Any]]:
        """Draws an image for each feature of a layer, or for each step of time, and returns their files and reports.

        Args:
            path: The file of each image, with fields in braces, such as ``"{NAME}.png"``; a PDF file without fields gets
                a page for each image, and a .gif, .apng or .webp file is an animation of all.
            by: The layer with a feature for each image.
            by_field: A field of this layer whose values make groups, each with an image.
            by_time: The time of each image, such as ``"year"`` or ``"6hours"``; the path has ``{start}`` and ``{end}``.
            grid: Columns and rows of maps on each page, such as ``"3x2"``, with one legend.
            mute: Whether everything but the feature of the image is muted.
            statistic: Statistics of the features in each image, such as ``"average:POP"``.
            dpi: Output pixels per inch.
            frame_time: The time of each image of an animation, such as ``"2s"``; half a second by default.
            loops: The number of times that an animation plays; without end by default.
            progress: Called with the number of images that are done, and that of all.
            layout: Parts of the images, such as ``title="{NAME}"``.

        Example:
            >>> m = ms.open("Styles/us-counties.json", size=(300, 200))
            >>> images = m.series("{NAME}.png", by="States", mute=True)
            >>> len(images), images[0]["file"]
            (51, 'Alabama.png')
        """
        check(layout, tables.Layout.__annotations__, "series")
        given = {"by": by, "by_field": by_field, "by_time": by_time, "grid": grid, "mute": mute or None,
                 "dpi": dpi, "frame_time": frame_time, "loops": loops, **layout}
        answer, _ = self._session.ask_data(
            "series", progress=progress, output=os.fspath(path), statistic=names_of(statistic), **fields_of(given)
        )
        images: List[Dict[str, Any]] = answer["images"]
        return images

    def tiles(
        self,
        path: File,
        *,
        zoom: Union[int, str, Sequence[int]],
        bounds: Numbers,
        pixel_ratio: int = 1,
        progress: Optional[Progress] = None,
    ) -> int:
        """Draws the map as tiles in Web Mercator, and returns their number.

        Args:
            path: A folder, or an .mbtiles or .pmtiles file.
            zoom: The zoom levels: ``3``, ``"0-3"`` or ``(0, 3)``.
            bounds: West, south, east and north in degrees.
            pixel_ratio: 1, or 2 for tiles of 512 pixels.
            progress: Called with the number of tiles that are done, and that of all.

        Example:
            >>> ms.open("Styles/world-cities.json").tiles("tiles", zoom="0-1", bounds=(-180, -85, 180, 85))
            5
        """
        fields = fields_of({"output": path, "zoom": zoom, "bounds": bounds, "pixel_ratio": pixel_ratio})
        answer, _ = self._session.ask_data("tiles", progress=progress, **fields)
        count: int = answer["count"]
        return count

    def lint(self, *, disable: Names = ()) -> List[Dict[str, Any]]:
        """Checks the classes, scales, labels and colours of the map, and returns the probable faults.

        Args:
            disable: Rules that are left out, such as ``"color-confusion"``.

        Example:
            >>> [finding["rule"] for finding in ms.open("Styles/us-counties.json").lint()]
            []
        """
        findings: List[Dict[str, Any]] = self._session.ask("lint", disable=names_of(disable))["findings"]
        return findings

    # The view

    def set_view(self, **place: Unpack[Place]) -> Dict[str, Any]:
        """Moves the view, and returns its ``scale``, ``extent`` and ``visibleArea``.

        Args:
            place: One of ``viewpoint="LAT,LON,SCALE"``, ``center={"latitude": …, "longitude": …}`` with ``scale`` or
                ``zoom``, ``bounds=(west, south, east, north)`` and ``fit="LAYER"``; also ``padding`` and ``rotation``.

        Example:
            >>> m = ms.open("Styles/world-cities.json")
            >>> m.set_view(viewpoint="50,12,20000000")["scale"]
            20000000
        """
        check(place, tables.Place.__annotations__, "set_view")
        return _moved(self._session.ask("viewpoint", **fields_of(place)))

    def pan(self, right: float, down: float) -> Dict[str, Any]:
        """Moves the view by view pixels.

        Example:
            >>> place = ms.open("Styles/world-cities.json").pan(100, 0)
        """
        return _moved(self._session.ask("pan", by=[right, down]))

    def zoom(self, factor: float) -> Dict[str, Any]:
        """Zooms in by a factor above 1, and out by a factor below 1.

        Example:
            >>> place = ms.open("Styles/world-cities.json").zoom(2)
        """
        return _moved(self._session.ask("zoom", by=factor))

    def identify(self, x: float, y: float, *, tolerance: float = 0, maximum: int = 1) -> List[Dict[str, Any]]:
        """Returns the features of each layer at a place in view pixels, topmost first.

        Example:
            >>> m = ms.open("Styles/us-counties.json", size=(600, 400))
            >>> [found["layer"] for found in m.identify(300, 200)]
            ['States']
        """
        answer = self._session.ask("identify", at=[x, y], tolerance=tolerance, maximum=maximum)
        layers: List[Dict[str, Any]] = answer["layers"]
        return layers

    def ask(self, step: str, **fields: Any) -> Dict[str, Any]:
        """Performs a step of ``mapstate run`` with its own field names, and returns the answer.

        Example:
            >>> ms.open("Styles/world-cities.json").ask("count", everywhere=True)["layers"][0]["count"]
            10020
        """
        return self._session.ask(step, **fields)

    def cancel(self) -> None:
        """Ends the request in progress, from another thread; it raises a CancelledError.

        Example:
            >>> ms.open("Styles/world-cities.json").cancel()
        """
        self._session.cancel()

    # Closing

    def close(self) -> None:
        """Closes the map and frees its memory.

        Example:
            >>> m = ms.open("Styles/world-cities.json")
            >>> m.close()
        """
        self._session.close()
        if self._removal is not None:
            self._removal()

    def __enter__(self) -> "Map":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def __repr__(self) -> str:
        count = len(self.layers)
        names = f": {', '.join(self.layers)}" if count else ""
        return f"<Map with {count} {'layer' if count == 1 else 'layers'}{names}>"

    # Requests

    def _one(self, layer: LayerName) -> Dict[str, Any]:
        if layer is None:
            if not self.layers:
                # The library knows the reason.
                self._session.ask("count", everywhere=True)
                raise UsageError("the map has no layer with features; add one")
            if len(self.layers) != 1:
                raise UsageError(
                    f"the map has {len(self.layers)} layers; name one with layer=: "
                    + ", ".join(f'"{name}"' for name in self.layers)
                )
            return {}
        found = layer if isinstance(layer, Layer) else self.layers[layer]
        return {"layer": str(found._index)}

    @staticmethod
    def _question(question: Mapping[str, Any], function: str) -> Dict[str, Any]:
        check(question, tables.Question.__annotations__, function)
        fields = fields_of(question)
        if "extent" in fields:
            fields["bounds"] = fields.pop("extent")
        return fields


def open(source: Source, **options: Unpack[Options]) -> Map:
    """Opens a map or data; :class:`Map` describes the options.

    Example:
        >>> ms.open("Styles/us-counties.json")
        <Map with 2 layers: States, Counties>
    """
    return open_for("open", source, options)


def render(source: Source, path: Optional[File] = None, **options: Unpack[Options]) -> Image:
    """Opens a map or data and draws it; :class:`Map` describes the options.

    Example:
        >>> ms.render("Styles/data/us-counties.geojson", color_by="unemployment_rate", size=(600, 400), legend=True)
        <Image 600x400, … bytes>
    """
    with open_for("render", source, options) as opened:
        return opened.render(path)


def open_for(function: str, source: Source, options: Options) -> Map:
    """Opens a map for a function, which errors name."""
    check(options, _OPTIONS, function)
    if source is None:
        raise UsageError(f"{function} needs a source; Map() without one is an empty map")
    return Map(source, **options)


def _advice_on_property(name: str) -> str:
    """Returns the end of the message on a property that a map does not have: the nearest property or option."""
    # The option "layer" is nearer to the property "layers".
    options = [option for option in _OPTIONS if option != "layer"]
    known = ["layers", "notes", *(key for key in vars(Map) if not key.startswith("_"))]
    near = name if name in options else nearest(name, [*known, *options])
    if near in options:
        return f'; "{near}" is an option of Map and open'
    return f'; did you mean "{near}"?' if near else ""


def _remove(folder: str, process: int) -> None:
    """Removes the folder with the files of a map, unless another process made it."""
    if process == os.getpid():
        import shutil

        shutil.rmtree(folder, ignore_errors=True)


def _moved(answer: Dict[str, Any]) -> Dict[str, Any]:
    return {name: answer[name] for name in ("scale", "rotation", "extent", "wkid", "visibleArea")}


def _words(description: Optional[Mapping[str, Any]]) -> Optional[str]:
    """Returns the sentences of a description; None for no description."""
    if description is None:
        return None
    words: str = description["summary"]
    return words


def _exact(frame: Any, rows: Sequence[Mapping[str, Any]], least: int = 0) -> Any:
    """Returns a frame of rows in which whole numbers with nulls are exact; pandas reads them as rounded decimals.

    Args:
        least: The absolute value that a number of a column must have, or the column keeps its type.
    """
    for name in frame.columns:
        if frame[name].dtype != "float64" or not frame[name].hasnans:
            continue
        values = [row.get(name) for row in rows]
        numbers = [value for value in values if value is not None]
        is_whole = all(isinstance(number, int) and -(2**63) <= number < 2**63 for number in numbers)
        if is_whole and any(abs(number) >= least for number in numbers):
            frame[name] = _pandas().array(values, dtype="Int64")
    return frame


def _pandas() -> Any:
    try:
        import pandas
    except ImportError as error:
        raise ImportError("this answer is a DataFrame; install pandas, or use ask()") from error
    return pandas

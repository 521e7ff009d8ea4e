"""The accessor ``mapstate`` of frames: ``frame.mapstate.plot()``."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, Optional, Sequence

if TYPE_CHECKING:
    from importlib.machinery import ModuleSpec

    from typing_extensions import Unpack

    from .map import Map
    from .options import File, Options


class FrameAccessor:
    """Maps of a frame of pandas or geopandas: ``frame.mapstate``.

    Example:
        >>> import pandas
        >>> frame = pandas.DataFrame({"name": ["Oslo"], "longitude": [10.75], "latitude": [59.91]})
        >>> frame.mapstate.plot(size=(300, 200))
        <Map with 1 layer: features>
    """

    def __init__(self, frame: Any):
        self._frame = frame

    def plot(self, path: "Optional[File]" = None, **options: "Unpack[Options]") -> "Map":
        """Returns a map of the frame, which a notebook shows, and writes it to a file if a path is given.

        The options are those of :func:`mapstate.open`. The layer is called ``frame.attrs["title"]``, if there is one.

        Example:
            >>> import geopandas
            >>> states = geopandas.read_file("Styles/data/us-states.geojson")
            >>> m = states.mapstate.plot("states.png", basemap="arcGISTopographic", symbol="orange")
        """
        from .map import open_for

        made = open_for("plot", self._frame, options)
        if path is not None:
            made.save(path)
        return made

    def __call__(self, path: "Optional[File]" = None, **options: "Unpack[Options]") -> "Map":
        """The same as :meth:`plot`."""
        return self.plot(path, **options)


def register() -> None:
    """Gives frames the accessor: now if pandas is imported, or else as soon as it is."""
    if "pandas" in sys.modules:
        _give(sys.modules["pandas"])
    else:
        sys.meta_path.insert(0, _Watcher())


def _give(pandas: Any) -> None:
    # A pandas that is being imported has no accessors yet.
    extensions = getattr(getattr(pandas, "api", None), "extensions", None)
    if extensions is not None and not hasattr(pandas.DataFrame, "mapstate"):
        extensions.register_dataframe_accessor("mapstate")(FrameAccessor)
        extensions.register_series_accessor("mapstate")(FrameAccessor)


class _Watcher:
    """Waits for the import of pandas, which is slow, without causing it."""

    def find_spec(
        self, name: str, path: Optional[Sequence[str]], target: Any = None
    ) -> "Optional[ModuleSpec]":
        if name != "pandas":
            return None
        sys.meta_path.remove(self)
        import importlib.util

        spec = importlib.util.find_spec(name)
        if spec is not None and spec.loader is not None:
            load = spec.loader.exec_module

            def loaded(module: Any) -> None:
                load(module)
                _give(module)

            spec.loader.exec_module = loaded  # type: ignore[method-assign]
        return spec

"""The layers of an open map."""

from __future__ import annotations

import collections
from typing import Any, Dict, Iterator, List, Mapping, Optional, Union

from .errors import UsageError
from .requests import nearest
from .session import Session


class Layer:
    """A layer of a map. Its properties change the map at once.

    Example:
        >>> m = ms.open("Styles/world-cities.json")
        >>> layer = m.layers["Cities"]
        >>> layer
        <Layer 'Cities': point, 10020 features>
        >>> layer.definition_expression = "POP_RANK = 1"
        >>> m.count(layer, everywhere=True)
        57
    """

    def __init__(self, session: Session, index: int, answer: Mapping[str, Any]):
        self._session, self._index = session, index
        #: The title of the layer.
        self.name: str = answer["layer"]
        #: The id of the layer in its document.
        self.id: str = answer["id"]
        #: ``"point"``, ``"multipoint"``, ``"polyline"``, ``"polygon"``, or None for a table.
        self.geometry_type: Optional[str] = answer["geometryType"]
        #: The number of rows of the table; None if the table is not read.
        self.feature_count: Optional[int] = answer["features"]
        self._visible: bool = answer.get("visible", True)

    def __setattr__(self, name: str, value: Any) -> None:
        if "_visible" in self.__dict__ and name not in self.__dict__ and not isinstance(
            getattr(type(self), name, None), property
        ):
            known = ["definition_expression", "display_filter", "visible"]
            near = nearest(name, known)
            advice = f'did you mean "{near}"?' if near else "a layer has " + ", ".join(known)
            raise AttributeError(f'a layer has no property "{name}"; {advice}')
        super().__setattr__(name, value)

    @property
    def definition_expression(self) -> str:
        """The SQL condition that limits the features that are drawn and counted; an empty text is none.

        None removes the condition. A condition that cannot be applied raises an InputError here, and the layer keeps the
        one that it has.

        Example:
            >>> layer = ms.open("Styles/world-cities.json").layers["Cities"]
            >>> layer.definition_expression = "POP_RANK <= 3"
            >>> layer.definition_expression = None
            >>> layer.definition_expression
            ''
        """
        return self._filter("definition")

    @definition_expression.setter
    def definition_expression(self, sql: Optional[str]) -> None:
        self._session.ask("filter", layer=str(self._index), definition=sql or "")

    @property
    def display_filter(self) -> str:
        """The SQL condition that limits only the features that are drawn, at the scale of the view.

        It is the active filter of the document until it is set; None or an empty text removes it.

        Example:
            >>> layer = ms.open("Styles/world-cities.json").layers["Cities"]
            >>> layer.display_filter = "POP_RANK = 1"
            >>> layer.display_filter
            'POP_RANK = 1'
        """
        return self._filter("displayFilter")

    @display_filter.setter
    def display_filter(self, sql: Optional[str]) -> None:
        self._session.ask("filter", layer=str(self._index), displayFilter=sql or "")

    def _filter(self, name: str) -> str:
        condition: str = self._session.ask("filter", layer=str(self._index))[name]
        return condition

    @property
    def visible(self) -> bool:
        """Whether the layer is drawn.

        Example:
            >>> layer = ms.open("Styles/world-cities.json").layers["Cities"]
            >>> layer.visible = False
        """
        return self._visible

    @visible.setter
    def visible(self, visible: bool) -> None:
        if visible not in (True, False):
            raise UsageError(f"visible is {visible!r}; it must be True or False")
        self._session.ask("visibility", layer=str(self._index), visible=bool(visible))
        self._visible = bool(visible)

    def __repr__(self) -> str:
        count = "unread" if self.feature_count is None else f"{self.feature_count} features"
        return f"<Layer {self.name!r}: {self.geometry_type or 'table'}, {count}>"


class Layers(Mapping[str, Layer]):
    """The layers of a map by title, id or index; index 0 is the bottom layer.

    Layers that share a title are found by id or index only.

    Example:
        >>> m = ms.open("Styles/us-counties.json")
        >>> list(m.layers), m.layers[0].name
        (['States', 'Counties'], 'States')
    """

    def __init__(self, layers: List[Layer]):
        self._layers = layers
        titles = collections.Counter(layer.name for layer in layers)
        ids = collections.Counter(layer.id for layer in layers)
        self._shared = {title for title, count in titles.items() if count > 1}
        # A web map that is added twice has its ids twice.
        self._names: Dict[str, Layer] = {layer.id: layer for layer in layers if ids[layer.id] == 1}
        self._names.update((layer.name, layer) for layer in layers if layer.name not in self._shared)

    def __getitem__(self, name: Union[str, int]) -> Layer:
        if isinstance(name, int):
            if not -len(self._layers) <= name < len(self._layers):
                raise UsageError(f"there is no layer {name}; the map has {len(self._layers)} layers, from 0")
            return self._layers[name]
        if name in self._names:
            return self._names[name]
        if name in self._shared:
            ids = ", ".join(f'"{layer.id}"' for layer in self._layers if layer.name == name)
            raise UsageError(f'several layers have the title "{name}"; use an index or one of the ids {ids}')
        near = nearest(str(name), self)
        raise UsageError(
            f'there is no layer "{name}"; available: ' + (", ".join(f'"{key}"' for key in self) or "none"),
            suggestion=near,
        )

    def __contains__(self, name: object) -> bool:
        return name in self._names

    def get(self, name: Union[str, int], default: Any = None) -> Any:
        """Returns a layer, or a default if there is none."""
        try:
            return self[name]
        except UsageError:
            return default

    def __iter__(self) -> Iterator[str]:
        """Returns the titles of the layers, or the ids of those that share a title."""
        return iter([layer.id if layer.name in self._shared else layer.name for layer in self._layers])

    def __len__(self) -> int:
        return len(self._layers)

    def __repr__(self) -> str:
        return repr(self._layers)

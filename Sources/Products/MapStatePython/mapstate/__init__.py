"""Render and query Esri web maps and geographic data without a display.

>>> import mapstate as ms
>>> m = ms.open("Styles/world-cities.json")
>>> m.count(layer="Cities", extent=(5, 45, 15, 55))
144
>>> m.render("cities.png")
<Image 800x600, … bytes>
"""

from .errors import (
    CancelledError,
    ExpectationError,
    InputError,
    MapStateError,
    MapStateWarning,
    ServiceError,
    UsageError,
)
from .frames import register
from .image import Image
from .layers import Layer
from .map import Map, open, render
from .session import __version__

register()

__all__ = [
    "CancelledError",
    "ExpectationError",
    "Image",
    "InputError",
    "Layer",
    "Map",
    "MapStateError",
    "MapStateWarning",
    "ServiceError",
    "UsageError",
    "__version__",
    "open",
    "render",
]

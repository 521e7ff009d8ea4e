"""A drawn image."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Dict, Optional, Tuple

from .errors import InputError, UsageError

if TYPE_CHECKING:
    from pathlib import Path

    from .options import File


class Image:
    """An image of a map. A notebook shows it as the value of a cell.

    Example:
        >>> image = ms.render("Styles/world-cities.json", size=(300, 200))
        >>> image.size, image.report["layers"][0]["layer"]
        ((300, 200), 'Cities')
    """

    def __init__(self, png: bytes, report: Dict[str, Any], description: Optional[str] = None):
        #: The bytes of the PNG file.
        self.png = png
        #: What was drawn: size, extent, scale, and the funnel and warnings of each layer.
        self.report = report
        #: What the image shows, in words, for readers who cannot see it.
        self.description = description or "Map"

    @property
    def size(self) -> Tuple[int, int]:
        """Width and height in pixels."""
        return int.from_bytes(self.png[16:20], "big"), int.from_bytes(self.png[20:24], "big")

    def save(self, path: File) -> None:
        """Writes the PNG file; a file with this name is replaced at once or not at all.

        Example:
            >>> ms.render("Styles/world-cities.json", size=(300, 200)).save("cities.png")
        """
        if not os.fspath(path).lower().endswith(".png"):
            raise UsageError(f"{path}: an image is saved as .png; Map.save writes other formats")
        write(path, self.png)

    def html(self) -> str:
        """Returns an element of HTML that shows the image, with the description as its alternative text.

        Example:
            >>> ms.render("Styles/world-cities.json", size=(300, 200)).html()[:31]
            '<img src="data:image/png;base64'
        """
        import base64
        import html

        width, height = self._shown
        data = base64.b64encode(self.png).decode()
        return (
            f'<img src="data:image/png;base64,{data}" width="{width}" height="{height}"'
            f' alt="{html.escape(self.description)}">'
        )

    @property
    def _shown(self) -> Tuple[int, int]:
        """Width and height on a screen."""
        width, height = self.report["size"]
        return round(width), round(height)

    def _repr_png_(self) -> bytes:
        return self.png

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> Tuple[Dict[str, Any], Dict[str, Any]]:
        width, height = self._shown
        metadata = {"image/png": {"width": width, "height": height, "alt": self.description}}
        return {"image/png": self.png, "text/plain": repr(self)}, metadata

    def __repr__(self) -> str:
        width, height = self.size
        return f"<Image {width}x{height}, {len(self.png)} bytes>"


def write(name: File, data: bytes) -> None:
    """Writes a file, which is replaced at once or not at all; an InputError names the file that cannot be written."""
    from pathlib import Path

    path = Path(name)
    try:
        _replace(path, data)
    except OSError as error:
        lacks_folder = isinstance(error, FileNotFoundError) and not path.parent.exists()
        reason = f"the folder {path.parent} does not exist" if lacks_folder else (error.strerror or str(error)).lower()
        raise InputError(f"{os.fspath(name)}: cannot be written: {reason}") from error


def _replace(path: Path, data: bytes) -> None:
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        part.write_bytes(data)
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)

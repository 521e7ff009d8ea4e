"""A drawn image."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, Dict, Union

from .errors import UsageError


class Image:
    """An image of a map. A notebook shows it as the value of a cell."""

    def __init__(self, png: bytes, report: Dict[str, Any]):
        #: The bytes of the PNG file.
        self.png = png
        #: What was drawn: size, extent, scale, and the funnel and warnings of each layer.
        self.report = report

    def save(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """Writes the PNG file; a file with this name is replaced at once or not at all."""
        path = Path(path)
        if path.suffix.lower() != ".png":
            raise UsageError(f"{path}: an image is saved as .png; Map.render writes other formats")
        part = path.with_name(f".{path.name}.{os.getpid()}.part")
        try:
            part.write_bytes(self.png)
            part.replace(path)
        finally:
            part.unlink(missing_ok=True)

    def _repr_png_(self) -> bytes:
        return self.png

    def __repr__(self) -> str:
        width, height = self.report["size"]
        return f"<Image {width}x{height}, {len(self.png)} bytes>"

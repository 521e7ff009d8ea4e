"""A pytest plugin: the fixture ``expect_map`` compares a map with a reference.

>>> def test_cities(expect_map):
...     expect_map(mapstate.open("cities.json"), "cities")

The reference is the folder ``maps/cities`` beside the test, with an image and a record of its features, styles and texts.
``pytest --mapstate-record`` writes it. A failure names the layer, class and property that changed. Its images are in
``maps-failed/cities``, or below the folder in the environment variable ``MAPSTATE_ARTIFACTS``.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Callable

import pytest

from .map import Map


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--mapstate-record", action="store_true", help="write the references of expect_map instead of comparing"
    )


@pytest.fixture
def expect_map(request: pytest.FixtureRequest) -> Callable[..., None]:
    """Returns a function that compares a map with the reference of a name."""
    folder = request.path.parent

    def expect(map: Map, name: str, *, blank: bool = False) -> None:
        """Compares a map with a reference.

        Args:
            map: The map to draw.
            name: The name of the reference.
            blank: Whether the image may show no feature.
        """
        if not name or "/" in name or name.startswith("."):
            raise ValueError(f"{name!r} is not a name for a reference; use letters, digits and hyphens")
        artifacts = Path(os.environ.get("MAPSTATE_ARTIFACTS") or folder / "maps-failed") / name
        shutil.rmtree(artifacts, ignore_errors=True)
        record = request.config.getoption("--mapstate-record")
        reference = folder / "maps" / name
        if not record and not reference.exists():
            pytest.fail(f"{reference} is missing; record it with pytest --mapstate-record", pytrace=False)
        map.ask("snapshot", folder=str(reference), record=record, blank=blank, artifacts=str(artifacts))

    return expect

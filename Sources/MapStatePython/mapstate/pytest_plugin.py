"""A pytest plugin: the fixture ``expect_map`` compares a map with a reference image.

>>> def test_cities(expect_map):
...     expect_map(mapstate.open("cities.json"), "cities")

The reference is ``maps/cities.png`` beside the test. ``pytest --mapstate-record`` writes it.
"""

from __future__ import annotations

from typing import Callable

import pytest

from .errors import ExpectationError
from .map import Map


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--mapstate-record", action="store_true", help="write the reference images of expect_map instead of comparing"
    )


@pytest.fixture
def expect_map(request: pytest.FixtureRequest) -> Callable[[Map, str], None]:
    """Returns a function that compares the image of a map with the reference of a name."""
    folder = request.path.parent / "maps"

    def expect(map: Map, name: str) -> None:
        if not name or "/" in name or name.startswith("."):
            raise ValueError(f"{name!r} is not a name for a reference; use letters, digits and hyphens")
        reference = folder / f"{name}.png"
        actual = folder / f"{name}.actual.png"
        if request.config.getoption("--mapstate-record"):
            folder.mkdir(exist_ok=True)
            map.render(reference)
            actual.unlink(missing_ok=True)
            return
        if not reference.exists():
            raise ExpectationError(f"{reference} is missing; record it with pytest --mapstate-record")
        try:
            map.ask("expect", image=str(reference))
        except ExpectationError:
            map.render(actual)
            raise
        actual.unlink(missing_ok=True)

    return expect

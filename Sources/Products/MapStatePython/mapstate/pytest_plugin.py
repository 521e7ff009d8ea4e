"""A pytest plugin: the fixture ``expect_map`` compares a map with a reference.

>>> def test_cities(expect_map):
...     expect_map(mapstate.open("cities.json"), "cities")

The whole image is compared, with legend and titles. The reference is the folder ``maps/cities`` beside the test, with an
image and a record of its features, styles and texts. ``pytest --mapstate-record`` writes all references,
``--mapstate-accept`` those that are missing or differ. A failure names the layer, class and property that changed, and its
images, which are in ``maps-failed/cities``, or below the folder in the environment variable ``MAPSTATE_ARTIFACTS``. Reports
of pytest-html show them.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Any, Callable, Generator, List

import pytest

from .errors import ExpectationError, MapStateError
from .map import Map

_IMAGES = pytest.StashKey[List[Path]]()


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("mapstate", "maps")
    group.addoption(
        "--mapstate-record", action="store_true", help="write the references of expect_map instead of comparing"
    )
    group.addoption(
        "--mapstate-accept",
        action="store_true",
        help="write the references of expect_map that are missing or differ, after comparing",
    )


@pytest.fixture
def expect_map(request: pytest.FixtureRequest) -> Callable[..., None]:
    """Returns a function that compares a map with the reference of a name.

    Example:
        >>> def test_cities(expect_map):
        ...     expect_map(ms.open("Styles/world-cities.json", legend=True), "cities")
    """
    folder = request.path.parent

    def expect(map: Map, name: str, *, blank: bool = False) -> None:
        """Compares a map with a reference.

        Args:
            map: The map to draw.
            name: The name of the reference.
            blank: Whether the image may show no feature.
        """
        __tracebackhide__ = True
        if not name or "/" in name or name.startswith("."):
            pytest.fail(f"{name!r} is not a name for a reference; use letters, digits and hyphens", pytrace=False)
        artifacts = Path(os.environ.get("MAPSTATE_ARTIFACTS") or folder / "maps-failed") / name
        shutil.rmtree(artifacts, ignore_errors=True)
        reference = folder / "maps" / name
        accept = request.config.getoption("--mapstate-accept")
        record = request.config.getoption("--mapstate-record") or (accept and not reference.exists())
        if not record and not reference.exists():
            pytest.fail(f"{reference} is missing; record it with pytest --mapstate-record", pytrace=False)

        def ask(record: bool) -> None:
            map.ask("snapshot", folder=str(reference), record=record, blank=blank, artifacts=str(artifacts))

        failure = ""
        try:
            ask(record)
        except ExpectationError as error:
            if accept and not record:
                shutil.rmtree(artifacts, ignore_errors=True)
                failure = _accepted(ask)
            else:
                failure = _text(error, artifacts)
                request.node.stash[_IMAGES] = _images(artifacts)
        except MapStateError as error:
            failure = str(error)
        if failure:
            pytest.fail(f"{name}: {failure}" if not failure.startswith(name) else failure, pytrace=False)

    return expect


def _accepted(ask: Callable[[bool], None]) -> str:
    """Writes a reference, and returns the reason if that is not possible."""
    try:
        ask(True)
    except MapStateError as error:
        return str(error)
    return ""


def _images(artifacts: Path) -> List[Path]:
    names = ("expected.png", "actual.png", "difference.png")
    return [artifacts / name for name in names if (artifacts / name).exists()]


def _text(error: ExpectationError, artifacts: Path) -> str:
    """Returns the text of a failure: what changed, and the images."""
    lines = error.message.replace("\\n", "\n").rstrip("\n").split("\n")
    images = _images(artifacts)
    width = max((len(path.stem) for path in images), default=0)
    lines += [f"  {path.stem + ':':<{width + 1}} {path}" for path in images]
    lines.append("  pytest --mapstate-accept takes the new image as the reference")
    return "\n".join(lines)


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, Any, None]:
    """Attaches the images of a failure to the report of pytest-html."""
    outcome = yield
    images = item.stash.get(_IMAGES, [])
    plugin = item.config.pluginmanager.getplugin("html")
    if not images or plugin is None:
        return
    report = outcome.get_result()
    if report.when != "call":
        return
    import base64

    from pytest_html import extras

    shown = [extras.png(base64.b64encode(path.read_bytes()).decode(), name=path.stem) for path in images]
    report.extras = [*getattr(report, "extras", []), *shown]

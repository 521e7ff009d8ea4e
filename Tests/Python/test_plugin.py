"""The pytest plugin: references, failures, acceptance, workers and reports."""

import os
import re
from pathlib import Path

import pytest

pytest_plugins = ["pytester"]
CITIES = str(Path(__file__).parents[2] / "Styles/world-cities.json")
PLUGIN = [] if "PYTEST_PLUGINS_INSTALLED" in os.environ else ["-p", "mapstate.pytest_plugin"]

TEST = f"""
import os, mapstate, pytest
@pytest.mark.parametrize("size", [200, 240])
def test_map(expect_map, size):
    with mapstate.open({CITIES!r}, size=(size, 120), legend=True, title=os.environ.get("TITLE", "Cities")) as m:
        m.layers["Cities"].definition_expression = "POP_RANK <= " + os.environ.get("RANK", "3")
        expect_map(m, f"cities-{{size}}")
"""


@pytest.fixture
def run(pytester, monkeypatch):
    pytester.makepyfile(TEST)

    def run(*arguments, **environment):
        for name in ("RANK", "TITLE"):
            monkeypatch.delenv(name, raising=False)
        for name, value in environment.items():
            monkeypatch.setenv(name, value)
        return pytester.runpytest_subprocess(*PLUGIN, *arguments)

    return run


def test_references_are_recorded_compared_and_accepted(run, pytester):
    run().assert_outcomes(failed=2)
    run("--mapstate-record").assert_outcomes(passed=2)
    run().assert_outcomes(passed=2)
    run(RANK="1").assert_outcomes(failed=2)
    run("--mapstate-accept", RANK="1").assert_outcomes(passed=2)
    assert not (pytester.path / "maps-failed/cities-200").exists()
    run(RANK="1").assert_outcomes(passed=2)
    run().assert_outcomes(failed=2)


def test_the_title_and_the_legend_are_compared(run):
    run("--mapstate-record").assert_outcomes(passed=2)
    result = run(TITLE="Towns")
    result.assert_outcomes(failed=2)
    result.stdout.fnmatch_lines(["*Towns*"])


def test_a_failure_names_the_change_and_the_images_in_lines(run, pytester):
    run("--mapstate-record").assert_outcomes(passed=2)
    result = run("-k", "200", RANK="1")
    text = result.stdout.str()
    assert "definition expression" in text
    for name in ("expected", "actual", "difference"):
        path = pytester.path / f"maps-failed/cities-200/{name}.png"
        assert path.read_bytes().startswith(b"\x89PNG")
        assert re.search(rf"^ +{name}: +{re.escape(str(path))}$", text, re.MULTILINE), text
    assert "\\n" not in text and "pytest_plugin.py" not in text and "session.py" not in text, text


def test_a_missing_reference_names_the_option(run):
    result = run()
    result.stdout.fnmatch_lines(["*maps/cities-200 is missing; record it with pytest --mapstate-record*"])


def test_workers_of_xdist_share_references(run):
    pytest.importorskip("xdist")
    run("-n", "2", "--mapstate-record").assert_outcomes(passed=2)
    run("-n", "2").assert_outcomes(passed=2)
    run("-n", "2", RANK="1").assert_outcomes(failed=2)


def test_reports_of_pytest_html_show_the_images(run, pytester):
    pytest.importorskip("pytest_html")
    run("--mapstate-record").assert_outcomes(passed=2)
    run("-k", "200", "--html=report.html", "--self-contained-html", RANK="1")
    page = (pytester.path / "report.html").read_text()
    assert page.count("data:image/png;base64") >= 3

"""Each public name has an example in its documentation, and the examples give the results that they show."""

import doctest
import importlib
import inspect
import os
import pkgutil
import re
import subprocess
import warnings
from pathlib import Path

import pytest

import mapstate as ms

TOP = Path(__file__).parents[2]
# A wheel also contains the C library.
MODULES = [
    importlib.import_module(f"mapstate.{module.name}")
    for module in pkgutil.iter_modules(ms.__path__)
    if module.name not in ("pytest_plugin", "libMapStateC")
]


def public_names():
    for name in ms.__all__:
        value = getattr(ms, name)
        if name == "__version__":
            continue
        yield name, value
        if inspect.isclass(value):
            for part, member in vars(value).items():
                if not part.startswith("_") and (callable(member) or isinstance(member, property)):
                    yield f"{name}.{part}", member


def test_each_public_name_has_an_example():
    names = dict(public_names())
    assert len(names) >= 40, len(names)
    # Attributes of an image and short properties are in the example of their class.
    short = {"Image.size"}
    lacking = [name for name, value in names.items() if ">>>" not in (value.__doc__ or "") and name not in short]
    assert lacking == []


def test_the_reference_of_the_guide_is_that_of_the_docstrings():
    done = subprocess.run([TOP / "Scripts/make/python_reference", "--check"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    page = (TOP / "Sources/Engine/MapState/MapState.docc/PythonReference.md").read_text()
    headings = set(re.findall(r"^### (.+)$", page, re.MULTILINE))
    lacking = [name for name, _ in public_names() if name not in headings]
    assert lacking == [] and len(headings) >= 55, (lacking, len(headings))


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.__name__)
def test_the_examples_give_what_they_show(module, tmp_path, monkeypatch):
    (tmp_path / "Styles").symlink_to(TOP / "Styles")
    monkeypatch.chdir(tmp_path)
    finder = doctest.DocTestFinder(exclude_empty=True)
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE, verbose=False)
    for test in finder.find(module, extraglobs={"ms": ms}):
        test.globs.update(vars(importlib.import_module("mapstate.options")))
        for example in test.examples:
            example.want = example.want.replace("…", "...")
        lines = []
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ms.MapStateWarning)
            runner.run(test, out=lines.append)
        assert not lines, "".join(lines)

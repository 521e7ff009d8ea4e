"""Runs the cells of the guide's article on Python, in order, as a notebook: run_notebook.py ARTICLE FOLDER."""

import pathlib
import re
import sys

import nbclient
import nbformat

article, folder = map(pathlib.Path, sys.argv[1:])
cells = re.findall(r"^```ipython\n(.*?)^```$", article.read_text(), re.MULTILINE | re.DOTALL)
assert len(cells) == 12, f"the article has {len(cells)} cells"
notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
nbclient.NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(folder)}}).execute()
images = sum("image/png" in output.get("data", {}) for cell in notebook.cells for output in cell.outputs)
assert images == 8, f"{images} images are shown"
print(f"{len(cells)} cells, {images} images")

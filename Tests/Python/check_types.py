"""Checks the types of the cells of the guide's article on Python: check_types.py ARTICLE FOLDER.

mypy and pyright check them as one program, in their strict modes. pyright is that of the package basedpyright, which
contains it; the package pyright loads it from another registry.
"""

import json
import pathlib
import re
import subprocess
import sys

article, folder = map(pathlib.Path, sys.argv[1:])
cells = re.findall(r"^```ipython\n(.*?)^```$", article.read_text(), re.MULTILINE | re.DOTALL)
assert len(cells) > 5, f"the article has {len(cells)} cells"
program = folder / "cells.py"
program.write_text("\n".join(cells))
# Frames and Jupyter have values of unknown types, and the last line of a cell is its value.
(folder / "pyrightconfig.json").write_text(json.dumps({
    "include": [program.name], "typeCheckingMode": "strict", "reportUnknownMemberType": False,
    "reportUnknownVariableType": False, "reportUnusedExpression": False,
}))
tools = pathlib.Path(sys.executable).parent
for command in (
    [tools / "mypy", "--strict", "--allow-untyped-calls", "--disable-error-code=import-untyped", "--cache-dir=/dev/null", program],
    [tools / "basedpyright", "--pythonpath", sys.executable, "--project", folder],
):
    subprocess.run(command, check=True)
print(f"{len(cells)} cells have right types")

"""Checks the types of the cells of the guide's article on Python: check_types.py ARTICLE FOLDER.

mypy and pyright check them as one program, in their strict modes.
"""

import pathlib
import re
import subprocess
import sys

article, folder = map(pathlib.Path, sys.argv[1:])
cells = re.findall(r"^```ipython\n(.*?)^```$", article.read_text(), re.MULTILINE | re.DOTALL)
assert len(cells) > 5, f"the article has {len(cells)} cells"
program = folder / "cells.py"
program.write_text("# pyright: strict, reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnusedExpression=false\n" + "\n".join(cells))
tools = pathlib.Path(sys.executable).parent
for command in (
    [tools / "mypy", "--strict", "--allow-untyped-calls", "--disable-error-code=import-untyped", "--cache-dir=/dev/null", program],
    [tools / "pyright", "--pythonpath", sys.executable, program],
):
    subprocess.run(command, check=True)
print(f"{len(cells)} cells have right types")

"""Compares the sizes that the README and the guide state with those of the packages, and prints all of them.

    sizes.py FOLDER TOOL

Fails if a stated size is more than 5 % and half a megabyte off, and if the wheel is larger than 20 MB. FOLDER has the
packages, and TOOL is the tool in them.
"""

import pathlib
import re
import sys

root = pathlib.Path(__file__).parents[3]
ARTICLE = "Sources/Engine/MapState/MapState.docc/Installation.md"
LIMIT = 20.0
# The file, the pattern around the size, and the name of what has it.
STATED = [
    ("README.md", r"a Debian package \((\d+) MB\)", "*.deb"),
    ("README.md", r"a Python wheel \((\d+) MB\)", "*.whl"),
    ("README.md", r"The tool \((\d+) MB\)", "the tool"),
    (ARTICLE, r"_amd64\.deb` \| (\d+) MB", "*.deb"),
    (ARTICLE, r"\.tar\.xz` \| (\d+) MB", "*.tar.xz"),
    (ARTICLE, r"\.whl` \| (\d+) MB", "*.whl"),
    (ARTICLE, r"The tool is one file of (\d+) MB", "the tool"),
]


def main(folder: str, tool: str) -> None:
    measured = {"the tool": pathlib.Path(tool).stat().st_size / 1e6}
    for pattern in ["*.deb", "*.tar.xz", "*.whl"]:
        [path] = pathlib.Path(folder).glob(pattern)
        measured[pattern] = path.stat().st_size / 1e6
    faults = []
    for name, pattern, subject in STATED:
        found = re.search(pattern, (root / name).read_text())
        size = measured[subject]
        if found is None:
            faults.append(f"{name} states no size of {subject}; expected {size:.0f} MB")
        elif abs(int(found[1]) - size) > max(0.5, size * 0.05):
            faults.append(f"{name} states {found[1]} MB for {subject}, which has {size:.1f} MB")
    if measured["*.whl"] > LIMIT:
        faults.append(f"the wheel has {measured['*.whl']:.1f} MB; at most {LIMIT:.0f} MB are allowed")
    for subject, size in measured.items():
        print(f"{subject}: {size:.1f} MB")
    if faults:
        sys.exit("\n".join(f"error: {fault}" for fault in faults))


if __name__ == "__main__":
    main(*sys.argv[1:])

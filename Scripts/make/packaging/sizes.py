"""Compares the sizes that the README and the guide state with those of the packages, and prints all of them.

    sizes.py FOLDER [--write]

FOLDER has the packages of Scripts/make/package. Fails if a stated size is more than 5 % and half a megabyte off, and if the
wheel is larger than 20 MB. --write writes the measured sizes into the two texts first.
"""

import pathlib
import re
import sys
import tarfile

root = pathlib.Path(__file__).parents[3]
ARTICLE = "Sources/Engine/MapState/MapState.docc/Installation.md"
LIMIT = 20.0
# The file, the text before the size, and the name of what has it.
STATED = [
    ("README.md", "a Debian package (", "*.deb"),
    ("README.md", "a Python wheel (", "*.whl"),
    ("README.md", "The tool (", "bin/mapstate"),
    (ARTICLE, "_amd64.deb` | ", "*.deb"),
    (ARTICLE, "-linux-x86_64.tar.xz` | ", "*.tar.xz"),
    (ARTICLE, "_x86_64.whl` | ", "*.whl"),
    (ARTICLE, "The tool is one file of ", "bin/mapstate"),
    (ARTICLE, "the server one of ", "bin/mapstate-serve"),
]


def measure(folder: pathlib.Path) -> dict[str, float]:
    """Returns the sizes of the packages, and of the programs in them, in MB."""
    sizes = {}
    for pattern in ["*.deb", "*.tar.xz", "*.whl"]:
        [path] = folder.glob(pattern)
        sizes[pattern] = path.stat().st_size / 1e6
        if pattern == "*.tar.xz":
            with tarfile.open(path) as archive:
                for entry in archive:
                    sizes["/".join(entry.name.split("/")[1:])] = entry.size / 1e6
    return sizes


def main(folder: str, *options: str) -> None:
    sizes = measure(pathlib.Path(folder))
    faults = []
    for name, before, subject in STATED:
        path, size = root / name, sizes[subject]
        text = path.read_text()
        found = re.search(f"(?<={re.escape(before)})\\d+(?= MB)", text)
        if found is None:
            faults.append(f"{name} has no size after {before!r}; expected {size:.0f} MB")
        elif "--write" in options:
            path.write_text(f"{text[: found.start()]}{size:.0f}{text[found.end() :]}")
        elif abs(int(found[0]) - size) > max(0.5, size * 0.05):
            faults.append(f"{name} states {found[0]} MB after {before!r}; {subject} has {size:.1f} MB")
        print(f"{name}: {before}{size:.1f} MB")
    if sizes["*.whl"] > LIMIT:
        faults.append(f"the wheel has {sizes['*.whl']:.1f} MB; at most {LIMIT:.0f} MB are allowed")
    if faults:
        sys.exit("\n".join(f"error: {fault}" for fault in faults))


if __name__ == "__main__":
    main(*sys.argv[1:])

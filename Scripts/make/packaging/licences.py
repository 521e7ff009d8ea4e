"""Prints the licence of MapState and of everything that a static build contains, in Debian's copyright format."""

import pathlib

top = pathlib.Path(__file__).parents[3]


def indented(text: str) -> str:
    return "\n".join(f" {line.rstrip()}" if line.strip() else " ." for line in text.strip().splitlines())


def main() -> None:
    licence = (top / "LICENSE").read_text()
    print("Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/")
    print("Upstream-Name: MapState\n")
    print("Files: *\nCopyright: The MapState authors\nLicense: MapState\n" + indented(licence) + "\n")
    print("Files: usr/bin/mapstate usr/bin/mapstate-serve\nCopyright: 2014-2026 Apple Inc. and the Swift project authors")
    print("License: Apache-2.0-with-runtime-exception")
    print(indented("""\
The Swift standard library, Foundation, libdispatch and Swift Argument Parser are compiled into the program, under the
Apache License, Version 2.0, with the Runtime Library Exception: https://swift.org/LICENSE.txt
On Debian systems, the Apache License is in /usr/share/common-licenses/Apache-2.0.""") + "\n")
    print("Comment: colour schemes\n" + indented((top / "NOTICE").read_text()) + "\n")
    fonts = (top / "Sources/C/CFonts/OFL.txt").read_text()
    print("Files: usr/bin/mapstate usr/bin/mapstate-serve (Noto Sans)\nCopyright: The Noto Project Authors\nLicense: OFL-1.1\n" + indented(fonts))


if __name__ == "__main__":
    main()

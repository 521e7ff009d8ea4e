"""Writes a wheel of the Python package with the C library inside; the same input gives the same bytes.

    wheel.py VERSION MACHINE LIBRARY LICENCES FOLDER

Source: the binary distribution format, https://packaging.python.org/en/latest/specifications/binary-distribution-format/
"""

import base64
import hashlib
import os
import pathlib
import sys
import time
import zipfile

package = pathlib.Path(__file__).parents[3] / "Sources/Products/MapStatePython"


def main(version: str, machine: str, library: str, licences: str, folder: str) -> None:
    info = f"mapstate-{version}.dist-info"
    files = {
        path.relative_to(package).as_posix(): path.read_bytes()
        for path in sorted((package / "mapstate").iterdir())
        if path.suffix in {".py", ".typed"}
    }
    files["mapstate/libMapStateC.so"] = pathlib.Path(library).read_bytes()
    files[f"{info}/METADATA"] = metadata(version).encode()
    files[f"{info}/WHEEL"] = (
        f"Wheel-Version: 1.0\nGenerator: MapState\nRoot-Is-Purelib: false\nTag: py3-none-linux_{machine}\n"
    ).encode()
    # The command runs the tool that is in the library.
    files[f"{info}/entry_points.txt"] = (
        b"[console_scripts]\nmapstate = mapstate.__main__:main\n\n[pytest11]\nmapstate = mapstate.pytest_plugin\n"
    )
    files[f"{info}/licenses/LICENSES.txt"] = pathlib.Path(licences).read_bytes()
    record = [f"{name},sha256={digest(data)},{len(data)}" for name, data in files.items()]
    files[f"{info}/RECORD"] = "\n".join([*record, f"{info}/RECORD,,", ""]).encode()

    when = time.gmtime(int(os.environ["SOURCE_DATE_EPOCH"]))[:6]
    target = pathlib.Path(folder)
    target.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(target / f"mapstate-{version}-py3-none-linux_{machine}.whl", "w") as archive:
        for name, data in files.items():
            entry = zipfile.ZipInfo(name, when)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (0o100755 if name.endswith(".so") else 0o100644) << 16
            archive.writestr(entry, data)


def digest(data: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


def metadata(version: str) -> str:
    readme = (package / "README.md").read_text()
    return f"""Metadata-Version: 2.1
Name: mapstate
Version: {version}
Summary: Render and query Esri web maps and geographic data without a display
License: Apache-2.0
Requires-Python: >=3.9
Provides-Extra: frames
Requires-Dist: pandas; extra == "frames"
Requires-Dist: geopandas; extra == "frames"
Requires-Dist: pyarrow; extra == "frames"
Description-Content-Type: text/markdown

{readme}"""


if __name__ == "__main__":
    main(*sys.argv[1:])

"""Makes Cases/times.gdb, timestamps on both sides of 1970: python3 make_times.py, with GDAL 3.6's ogr2ogr."""

import os
import subprocess
import tempfile

TIMES = [
    "1969-12-31T23:59:59", "1970-01-01T00:00:00", "1960-05-05T12:00:00", "1899-12-30T00:00:00",
    "1950-01-01T00:00:00", "2020-02-03T04:05:06", "1850-02-03T04:05:06",
]
folder = os.path.join(os.path.dirname(os.path.abspath(__file__)), "Cases", "times.gdb")
with tempfile.TemporaryDirectory() as scratch:
    path = os.path.join(scratch, "d.csv")
    with open(path, "w") as file:
        file.write("id,t,longitude,latitude\n")
        file.writelines(f"{row + 1},{time},1,1\n" for row, time in enumerate(TIMES))
    with open(path + "t", "w") as file:
        file.write("Integer,DateTime,Real,Real\n")
    places = ["-oo", "X_POSSIBLE_NAMES=longitude", "-oo", "Y_POSSIBLE_NAMES=latitude"]
    subprocess.run(["ogr2ogr", "-f", "OpenFileGDB", folder, path, *places], check=True)

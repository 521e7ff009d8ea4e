"""Writes seeded points in Parquet files, the partitions of one table.

points.py ROWS PARTITIONS FOLDER
"""
import sys

import numpy
import pyarrow
import pyarrow.parquet

rows, partitions, folder = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
random = numpy.random.default_rng(30)
for number in range(partitions):
    count = rows * (number + 1) // partitions - rows * number // partitions
    # Sums of such values depend on the order of rounding.
    value = random.normal(size=count) * 10.0 ** random.integers(-12, 12, size=count)
    table = pyarrow.table({
        "x": random.uniform(-179, 179, count),
        "y": random.uniform(-80, 80, count),
        "class": pyarrow.array(random.integers(0, 8, count), pyarrow.int32()),
        "value": value,
    })
    pyarrow.parquet.write_table(table, f"{folder}/part-{number:02}.parquet", compression="zstd")

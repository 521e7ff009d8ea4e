"""Writes the rows of Parquet files to standard output as CSV, with their numbers.

numbered_rows.py FIRST FILE...
"""
import sys

import pyarrow
import pyarrow.csv
import pyarrow.parquet

row = int(sys.argv[1])
for name in sys.argv[2:]:
    table = pyarrow.parquet.read_table(name)
    numbers = pyarrow.array(range(row, row + len(table)))
    row += len(table)
    pyarrow.csv.write_csv(
        table.add_column(0, "row", numbers), sys.stdout.buffer, pyarrow.csv.WriteOptions(include_header=False))

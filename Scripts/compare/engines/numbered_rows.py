"""Writes the rows of Parquet files to standard output as CSV, with their numbers in the file.

numbered_rows.py FILE
"""
import sys

import pyarrow
import pyarrow.csv
import pyarrow.parquet

table = pyarrow.parquet.read_table(sys.argv[1])
numbers = pyarrow.array(range(len(table)))
pyarrow.csv.write_csv(
    table.add_column(0, "row", numbers), sys.stdout.buffer, pyarrow.csv.WriteOptions(include_header=False))

"""Writes the rows of Parquet files to standard output as one Arrow stream.

stream.py FILE...
"""
import sys

import pyarrow.ipc
import pyarrow.parquet

files = [pyarrow.parquet.ParquetFile(name) for name in sys.argv[1:]]
with pyarrow.ipc.new_stream(sys.stdout.buffer, files[0].schema_arrow) as stream:
    for file in files:
        for batch in file.iter_batches(batch_size=1 << 17):
            stream.write_batch(batch)

"""Answers a question for Parquet files with Dask; leaves N.state in the current folder.

dask_partitions.py QUESTION FILE...
The environment variable MAPSTATE is the tool. FAIL_ONCE names a partition whose first worker ends too early.
"""
import os
import pathlib
import subprocess
import sys

import distributed
import pyarrow.ipc
import pyarrow.parquet


def answer(question, ordinal, path):
    """Reads a file and passes its rows to mapstate, which writes the state completely or not at all."""
    process = subprocess.Popen(
        [os.environ["MAPSTATE"], "partial", "-", "--question", question, "--ordinal", str(ordinal),
         "-o", f"{ordinal}.state"], stdin=subprocess.PIPE)
    mark = pathlib.Path(f"{ordinal}.failed")
    file = pyarrow.parquet.ParquetFile(path)
    with pyarrow.ipc.new_stream(process.stdin, file.schema_arrow) as stream:
        for batch in file.iter_batches(batch_size=1 << 17):
            stream.write_batch(batch)
            if os.environ.get("FAIL_ONCE") == str(ordinal) and not mark.exists():
                mark.touch()
                process.kill()
                process.wait()
                raise RuntimeError("the worker ended")
    process.stdin.close()
    if process.wait() != 0:
        raise RuntimeError(f"mapstate ended with {process.returncode}")
    return f"{ordinal}.state"


if __name__ == "__main__":
    question, files = sys.argv[1], sys.argv[2:]
    with distributed.Client(n_workers=2, threads_per_worker=1, dashboard_address=None) as client:
        # A failed partition is run again.
        tasks = [client.submit(answer, question, number, path, retries=2) for number, path in enumerate(files)]
        client.gather(tasks)

"""Answers a question for Parquet files with Spark, which reads them; leaves N.state in the current folder.

spark_partitions.py QUESTION FILE...
The environment variable MAPSTATE is the tool. FAIL_ONCE names a partition whose first worker ends too early. Prints the
number of partitions, which can be more than that of files.
"""
import functools
import os
import pathlib
import subprocess
import sys

os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
# All of Spark runs on this machine.
os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
import pyarrow
import pyarrow.ipc
import pyspark.sql


def answer(question, batches):
    """Passes the rows of a partition to mapstate, and returns its state."""
    ordinal = pyspark.TaskContext.get().partitionId()
    process = subprocess.Popen(
        [os.environ["MAPSTATE"], "partial", "-", "--question", question, "--ordinal", str(ordinal), "-o", "-"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    mark = pathlib.Path(f"{ordinal}.failed")
    stream = None
    for batch in batches:
        stream = stream or pyarrow.ipc.new_stream(process.stdin, batch.schema)
        stream.write_batch(batch)
        if os.environ.get("FAIL_ONCE") == str(ordinal) and not mark.exists():
            mark.touch()
            process.kill()
            process.wait()
            raise RuntimeError("the worker ended")
    if stream:
        stream.close()
    # The state is written when all rows are read.
    state, _ = process.communicate()
    if process.returncode != 0:
        raise RuntimeError(f"mapstate ended with {process.returncode}")
    yield pyarrow.RecordBatch.from_pydict({"ordinal": [ordinal], "state": [state]})


if __name__ == "__main__":
    question, files = os.path.abspath(sys.argv[1]), sys.argv[2:]
    # A failed partition is run again.
    spark = (pyspark.sql.SparkSession.builder.master("local[2,3]").config("spark.ui.enabled", "false")
             # One partition for each file, and fewer batches than the 10,000 rows of the default.
             .config("spark.sql.files.maxPartitionBytes", str(1 << 40)).config("spark.sql.files.minPartitionNum", "1")
             .config("spark.sql.execution.arrow.maxRecordsPerBatch", str(1 << 17)).getOrCreate())
    # Spark orders the files of one table by size, and a union keeps its order.
    tables = [spark.read.parquet(os.path.abspath(path)) for path in files]
    table = functools.reduce(pyspark.sql.DataFrame.union, tables)
    states = table.mapInArrow(functools.partial(answer, question), "ordinal long, state binary").collect()
    for row in states:
        pathlib.Path(f"{row.ordinal}.state").write_bytes(row.state)
    print(len(states))

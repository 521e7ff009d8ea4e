"""Answers a question for shares of the row groups of Parquet files with Spark; leaves N.state in the current folder.

spark_row_groups.py QUESTION SHARES SOURCE
SOURCE is a file, a folder or a pattern, also at an address. The environment variable MAPSTATE is the tool, which reads the
row groups itself. The states return to the driver, so that workers share no folder.
"""
import os
import pathlib
import subprocess
import sys

os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
# All of Spark runs on this machine.
os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
import pyspark


def answer(question, ordinal, shares, source):
    """Returns the state of a share."""
    return ordinal, subprocess.run(
        [os.environ["MAPSTATE"], "partial", source, "--question", question, "--ordinal", str(ordinal), "--of", str(shares),
         "-o", "-"], check=True, stdout=subprocess.PIPE).stdout


if __name__ == "__main__":
    question, shares, source = os.path.abspath(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
    # A failed share is answered again.
    spark = pyspark.SparkContext(master="local[2,3]", conf=pyspark.SparkConf().set("spark.ui.enabled", "false"))
    for ordinal, state in spark.range(shares, numSlices=shares).map(lambda n: answer(question, n, shares, source)).collect():
        pathlib.Path(f"{ordinal}.state").write_bytes(state)

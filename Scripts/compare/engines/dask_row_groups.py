"""Answers a question for shares of the row groups of Parquet files with Dask; leaves N.state in the current folder.

dask_row_groups.py QUESTION SHARES SOURCE
SOURCE is a file, a folder or a pattern, also at an address. The environment variable MAPSTATE is the tool, which reads the
row groups itself.
"""
import os
import subprocess
import sys

import distributed


def answer(question, ordinal, shares, source):
    """Answers for a share; mapstate writes the state completely or not at all."""
    subprocess.run(
        [os.environ["MAPSTATE"], "partial", source, "--question", question, "--ordinal", str(ordinal), "--of", str(shares),
         "-o", f"{ordinal}.state"], check=True)


if __name__ == "__main__":
    question, shares, source = sys.argv[1], int(sys.argv[2]), sys.argv[3]
    with distributed.Client(n_workers=2, threads_per_worker=1, dashboard_address=None) as client:
        # A failed share is answered again.
        client.gather([client.submit(answer, question, number, shares, source, retries=2) for number in range(shares)])

"""Answers the questions of Scripts/compare/engines/compare with DuckDB, whose sums are not exact.

duckdb_answers.py WHERE
"""
import sys

import duckdb

duckdb.execute("SET threads = 2")
table = "read_parquet('part-*.parquet')"
duckdb.sql(f"SELECT count(*) FROM {table} WHERE x BETWEEN -10 AND 30 AND y BETWEEN 35 AND 60 AND {sys.argv[1]}").fetchall()
duckdb.sql(f"""SELECT class, count(*), sum(value), avg(value), min(value), max(value), var_samp(value), stddev(value)
               FROM {table} GROUP BY class""").fetchall()

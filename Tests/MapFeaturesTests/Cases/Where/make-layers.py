#!/usr/bin/env python3
"""Writes the attributes of two layers of the CQL2 test dataset as tables that the tests read.

usage: make-layers.py ne110m4cql2.gpkg

Output beside this script, one file a layer: a line of names, a line of types, then a line a row; tabs between,
\\N for null. Types are those of the GeoPackage in the words of the filter: integer, real, text, boolean, date, instant.
"""
import pathlib
import sqlite3
import sys

TYPES = {"INTEGER": "integer", "REAL": "real", "TEXT": "text", "BOOLEAN": "boolean", "DATE": "date",
         "DATETIME": "instant"}

def cell(value):
    if value is None:
        return "\\N"
    text = repr(value) if isinstance(value, float) else str(value)
    assert not set(text) & set("\t\r\n\\"), text
    return text

database = sqlite3.connect(f"file:{sys.argv[1]}?mode=ro", uri=True)
for layer in ("ne_110m_admin_0_countries", "ne_110m_populated_places_simple"):
    columns = [(row[1], TYPES[row[2].split("(")[0]])
               for row in database.execute(f"pragma table_info({layer})") if row[1] != "geom"]
    names = ", ".join(f'"{name}"' for name, _ in columns)
    with open(pathlib.Path(__file__).with_name(f"{layer}.tsv"), "w", encoding="utf-8", newline="\n") as file:
        print(*(name for name, _ in columns), sep="\t", file=file)
        print(*(kind for _, kind in columns), sep="\t", file=file)
        for row in database.execute(f"select {names} from {layer} order by fid"):
            print(*(cell(value) for value in row), sep="\t", file=file)

#!/usr/bin/env python3
"""Counts what SQL conditions select from a GeoPackage, by SQLite and SpatiaLite.

  spatialite_counts.py FILE.gpkg CONDITIONS.json    a list of {"layer", "sql", "parameters"}; prints a list of counts

Needs Debian's libsqlite3-mod-spatialite and its python3, whose sqlite3 loads extensions. A condition that SQLite refuses
counts as the text of its error.
"""
import json
import sqlite3
import sys

database = sqlite3.connect(":memory:")
database.enable_load_extension(True)
database.load_extension("mod_spatialite")
database.execute("SELECT EnableGpkgAmphibiousMode()")
database.execute("ATTACH ? AS data", (sys.argv[1],))

counts = []
for item in json.load(open(sys.argv[2], encoding="utf-8")):
    try:
        statement = f'SELECT count(*) FROM data."{item["layer"]}" WHERE {item["sql"]}'
        counts.append(database.execute(statement, item["parameters"]).fetchone()[0])
    except sqlite3.Error as error:
        counts.append(str(error))
json.dump(counts, sys.stdout)

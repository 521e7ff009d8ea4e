"""Makes Cases/paged.gpkg: tables whose rows lie in pages in all the ways that SQLite has, and schemas that are not plain.

  cd Tests/MapGeospatialTests/Cases && python3 ../make_paged_cases.py

From bulk-polygons.gpkg, with Python's own SQLite; the data is random with a seed.
"""
import os
import random
import shutil
import sqlite3

rng = random.Random(17)
PATH = "paged.gpkg"
if os.path.exists(PATH):
    os.remove(PATH)
shutil.copy("bulk-polygons.gpkg", PATH)
base = sqlite3.connect(PATH, isolation_level=None)
# Triggers of the format call functions that only GDAL has.
for (name,) in base.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
    base.execute(f'DROP TRIGGER "{name}"')
source = base.execute("SELECT table_name FROM gpkg_contents").fetchone()[0]
shape = base.execute("SELECT column_name FROM gpkg_geometry_columns").fetchone()[0]
blobs = [blob for (blob,) in base.execute(f'SELECT "{shape}" FROM "{source}"')]


def table(name, fields, key='"fid" INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL', rest="", srid=4326, kind="POLYGON"):
    base.execute(f'CREATE TABLE "{name}" ({key}, "geom" {kind}{"".join(", " + field for field in fields)}){rest}')
    base.execute(
        "INSERT INTO gpkg_contents (table_name, data_type, identifier, last_change, srs_id)"
        " VALUES (?, 'features', ?, '2024-01-01T00:00:00Z', ?)", (name, name, srid))
    base.execute("INSERT INTO gpkg_geometry_columns VALUES (?, 'geom', ?, ?, 0, 0)", (name, kind, srid))


def fill(name, rows):
    for row in rows:
        base.execute(f'INSERT INTO "{name}" VALUES ({", ".join("?" * len(row))})', row)


def text(length):
    return "".join(rng.choice("abcdefghij klmäöü€") for _ in range(length))


# Records of every length about the sizes at which they leave their page, in a file of small pages.
table("lengths", ['"a" TEXT', '"bytes" BLOB', '"b" TEXT(4000)'])
fill("lengths", [(None, rng.choice(blobs), text(length), bytes(rng.randrange(40)), text(rng.randrange(5)))
                 for length in list(range(0, 700, 3)) + [1000, 5000, 70000, 3]])
# Whole numbers of every width, and reals that are stored as whole numbers.
table("widths", ['"long" INTEGER', '"int" MEDIUMINT', '"real" DOUBLE', '"flag" BOOLEAN', '"small" SMALLINT'])
edges = sorted({sign * (2 ** bits + step) for bits in range(0, 63) for step in (-1, 0, 1) for sign in (-1, 1)})
fill("widths", [(None, None, edge, edge if abs(edge) < 2 ** 31 else None, float(edge),
                 edge & 1, max(-2 ** 15, min(2 ** 15 - 1, edge))) for edge in edges + [2 ** 63 - 1, -2 ** 63]])
# Rows older than a column: without and with a default, which SQLite gives them.
for name, default in [("added", ""), ("defaulted", " DEFAULT 7")]:
    table(name, ['"n" INTEGER'])
    fill(name, [(None, rng.choice(blobs), n) for n in range(60)])
    base.execute(f'ALTER TABLE "{name}" ADD COLUMN "late" INTEGER{default}')
    fill(name, [(None, rng.choice(blobs), n, 3 * n) for n in range(30)])
# A default that no row needs.
table("full", ['"n" INTEGER DEFAULT 5', '"word" TEXT DEFAULT (\'x\')'])
fill("full", [(None, rng.choice(blobs), n, text(n)) for n in range(50)])
# Holes where rows were, and rows put in between.
table("holes", ['"word" TEXT'])
fill("holes", [(3 * n - 40, rng.choice(blobs), text(rng.randrange(300))) for n in range(300)])
base.execute("DELETE FROM holes WHERE fid % 7 < 3")
fill("holes", [(3 * n + 1, rng.choice(blobs), text(rng.randrange(600))) for n in range(0, 200, 3)])
base.execute("UPDATE holes SET word = substr(word, 1, 9) WHERE fid % 5 = 0")
# One leaf, and no row at all.
table("few", ['"n" INTEGER'])
fill("few", [(-5, None, 1), (2 ** 62, blobs[0], 2)])
table("nobody", ['"n" INTEGER'])
# Keys that are no other name of the row's number, columns that are stored nowhere.
table("descending", ['"n" INTEGER'], key='"fid" INTEGER PRIMARY KEY DESC')
fill("descending", [(n, rng.choice(blobs), n) for n in (3, 1, 2)])
table("unnumbered", ['"n" INTEGER'], key='"fid" INTEGER PRIMARY KEY', rest=" WITHOUT ROWID")
fill("unnumbered", [(n, rng.choice(blobs), n) for n in (3, 1, 2)])
table("generated", ['"n" INTEGER', '"twice" INTEGER GENERATED ALWAYS AS (n * 2) STORED'])
base.executemany('INSERT INTO "generated" (geom, n) VALUES (?, ?)', [(blobs[n], n) for n in range(5)])
table("last", ['"n" INTEGER'], key='"n0" INTEGER')
# Schemas that are left to GDAL: other types, a geometry that says otherwise, another reference, an extension.
table("typed", ['"n" BIGINT', '"v" VARCHAR(9)'])
fill("typed", [(None, blobs[0], 1, "a"), (None, blobs[1], 2, "b")])
table("otherwise", ['"n" INTEGER'], kind="GEOMETRY")
fill("otherwise", [(None, blobs[0], 1)])
base.execute("UPDATE gpkg_geometry_columns SET geometry_type_name = 'POLYGON' WHERE table_name = 'otherwise'")
table("any", ['"n" INTEGER'], kind="GEOMETRY")
fill("any", [(None, blobs[0], 1)])
for srid in (0, -1):
    table(f"nowhere{srid}", ['"n" INTEGER'], srid=srid)
    fill(f"nowhere{srid}", [(None, blobs[0], 1)])
base.execute("INSERT INTO gpkg_spatial_ref_sys VALUES ('mine', 900913, 'EPSG', 3857, 'undefined', NULL)")
table("renumbered", ['"n" INTEGER'], srid=900913)
fill("renumbered", [(None, blobs[0], 1)])
base.execute("PRAGMA page_size = 512")
base.execute("VACUUM")
base.close()

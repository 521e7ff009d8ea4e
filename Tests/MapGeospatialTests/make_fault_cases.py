"""Makes Cases/views.gpkg, Cases/contents-view.gpkg and Cases/logged.gpkg with its -wal: files that run or hide something.

  cd Tests/MapGeospatialTests/Cases && python3 ../make_fault_cases.py

With Python's own SQLite; made for MapState, same licence.
"""
import os
import shutil
import sqlite3
import struct

for name in ["views.gpkg", "contents-view.gpkg", "logged.gpkg", "logged.gpkg-wal"]:
    if os.path.exists(name):
        os.remove(name)


def package(path):
    base = sqlite3.connect(path, isolation_level=None)
    base.execute("PRAGMA page_size = 512")
    base.execute("PRAGMA application_id = 1196444487")
    base.execute("PRAGMA user_version = 10200")
    base.execute(
        "CREATE TABLE gpkg_spatial_ref_sys (srs_name TEXT, srs_id INTEGER PRIMARY KEY, organization TEXT,"
        " organization_coordsys_id INTEGER, definition TEXT, description TEXT)")
    base.execute("INSERT INTO gpkg_spatial_ref_sys VALUES ('WGS 84', 4326, 'EPSG', 4326, 'undefined', NULL)")
    base.execute(
        "CREATE TABLE gpkg_contents (table_name TEXT PRIMARY KEY, data_type TEXT, identifier TEXT, description TEXT,"
        " last_change DATETIME, min_x DOUBLE, min_y DOUBLE, max_x DOUBLE, max_y DOUBLE, srs_id INTEGER)")
    base.execute(
        "CREATE TABLE gpkg_geometry_columns (table_name TEXT PRIMARY KEY, column_name TEXT, geometry_type_name TEXT,"
        " srs_id INTEGER, z TINYINT, m TINYINT)")
    base.execute('CREATE TABLE points ("fid" INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, "geom" POINT, "i" INTEGER)')
    listed(base, "points")
    return base


def listed(base, name):
    base.execute(
        "INSERT INTO gpkg_contents VALUES (?, 'features', ?, '', '2024-01-01T00:00:00Z', 0, 0, 10, 10, 4326)", (name, name))
    base.execute("INSERT INTO gpkg_geometry_columns VALUES (?, 'geom', 'POINT', 4326, 0, 0)", (name,))


def point(number):
    return b"GP\x00\x01" + struct.pack("<i", 4326) + struct.pack("<BIdd", 1, 1, number % 10, number // 10)


def fill(base, numbers, table="points"):
    base.executemany(f'INSERT INTO "{table}" (fid, geom, i) VALUES (?, ?, ?)', [(n, point(n), n) for n in numbers])


base = package("views.gpkg")
fill(base, range(1, 11))
# A trigger that would empty the table.
base.execute("CREATE TRIGGER emptied AFTER INSERT ON points BEGIN DELETE FROM points; END")
many = ", ".join(f"points p{index}" for index in range(9))
for name, query in {
    "endless": "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT points.* FROM points, r",
    "crossed": f"SELECT p0.* FROM {many}",
    "few": "SELECT * FROM points WHERE i > 5",
    "nested": "SELECT * FROM unlisted",
    "unlisted": "SELECT * FROM points WHERE i > 7",
    "indexed": "SELECT points.* FROM points JOIN boxes ON boxes.id = points.fid",
    "calling": "SELECT fid, geom, length(randomblob(1000)) AS i FROM points",
    "files": "SELECT fid, geom, load_extension('x') AS i FROM points",
    "pragmas": "SELECT points.* FROM points, pragma_database_list",
}.items():
    base.execute(f'CREATE VIEW "{name}" AS {query}')
    if name != "unlisted":
        listed(base, name)
base.execute("CREATE VIRTUAL TABLE boxes USING rtree(id, x0, x1)")
listed(base, "boxes")
base.execute(
    'CREATE TABLE sums ("fid" INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, "geom" POINT, "i" INTEGER,'
    ' "j" INTEGER GENERATED ALWAYS AS (i + 1) VIRTUAL)')
listed(base, "sums")
fill(base, range(1, 5), "sums")
base.execute(
    'CREATE TABLE blobs ("fid" INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, "geom" POINT, "i" INTEGER,'
    ' "j" TEXT GENERATED ALWAYS AS (hex(zeroblob(i * 100000000))) VIRTUAL)')
listed(base, "blobs")
fill(base, range(1, 5), "blobs")
base.close()

base = package("contents-view.gpkg")
fill(base, range(1, 11))
base.execute("ALTER TABLE gpkg_contents RENAME TO kept")
base.execute("CREATE VIEW gpkg_contents AS SELECT * FROM kept")
base.close()

# 40 rows in the file, 10 more in its log.
base = package("made.gpkg")
base.execute("PRAGMA journal_mode = WAL")
fill(base, range(1, 41))
base.execute("PRAGMA wal_checkpoint(TRUNCATE)")
fill(base, range(41, 51))
shutil.copy("made.gpkg", "logged.gpkg")
shutil.copy("made.gpkg-wal", "logged.gpkg-wal")
base.close()
os.remove("made.gpkg")

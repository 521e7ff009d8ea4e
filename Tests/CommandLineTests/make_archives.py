"""Writes archives of the files in the current folder: readable, damaged, nested and beyond the limits."""
import gzip
import struct
import zipfile


def archive(name, entries, **options):
    with zipfile.ZipFile(name, "w", zipfile.ZIP_DEFLATED, **options) as file:
        for entry, content in entries:
            file.writestr(entry, content)
    return open(name, "rb").read()


csv, places = open("cities.csv", "rb").read(), open("places.geojson", "rb").read()
shapefile = [(f"data/points.{ending}", open(f"points.{ending}", "rb").read()) for ending in ("shp", "shx", "dbf", "prj")]
whole = archive("shapefile.zip", shapefile + [("data/README.txt", "notes"), ("__MACOSX/data/._points.shp", "x")])
open("any-name", "wb").write(whole)
archive("two.zip", [("cities.csv", csv), ("more/places.geojson", places)])
archive("nested.zip", [("inner.zip", whole)])
archive("hidden.zip", [("places.geojson", gzip.compress(places))])
archive("nothing.zip", [("picture.png", b"")])
archive("empty.zip", [])
with zipfile.ZipFile("large-form.zip", "w", zipfile.ZIP_DEFLATED) as file:
    with file.open("cities.csv", "w", force_zip64=True) as entry:
        entry.write(csv)
damaged = bytearray(whole)
damaged[len(whole) // 3] ^= 16
open("damaged.zip", "wb").write(damaged)
open("cut.zip", "wb").write(whole[:-500])
open("cities.csv.gz", "wb").write(gzip.compress(csv))
open("cut.csv.gz", "wb").write(gzip.compress(csv)[:-100])
wrong = bytearray(gzip.compress(csv))
wrong[-6] ^= 1
open("wrong.csv.gz", "wb").write(wrong)
open("twice.csv.gz", "wb").write(gzip.compress(gzip.compress(csv)))
with gzip.open("bomb.csv.gz", "wb") as file:
    for _ in range(300):
        file.write(bytes(1 << 20))
encrypted = bytearray(archive("encrypted.zip", [("cities.csv", csv)]))
encrypted[6] |= 1
encrypted[encrypted.index(b"PK\1\2") + 8] |= 1
open("encrypted.zip", "wb").write(encrypted)
# A million entries, as the end of a list in the 64-bit form says.
size = 1_000_000 * 46
with open("million.zip", "wb") as file:
    file.write(b"PK\3\4")
    file.truncate(size)
    file.seek(size)
    file.write(struct.pack("<4sQHHIIQQQQ", b"PK\6\6", 44, 45, 45, 0, 0, 1_000_000, 1_000_000, size, 0))
    file.write(struct.pack("<4sIQI", b"PK\6\7", 0, size, 1))
    file.write(struct.pack("<4sHHHHIIH", b"PK\5\6", 0, 0, 0xFFFF, 0xFFFF, 0xFFFFFFFF, 0xFFFFFFFF, 0))

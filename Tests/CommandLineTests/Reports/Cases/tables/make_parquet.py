"""Makes the files of the folder parquet, one for each claim of the guide about Parquet: python make_parquet.py

Needs pyarrow, geopandas and shapely from PyPI. All values are made up here, under MapState's licence.
"""
import datetime as dt
import decimal
import json
import os
import uuid

import geopandas as gpd
import pyarrow as pa
import pyarrow.parquet as pq
import shapely

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "parquet")
os.makedirs(FOLDER, exist_ok=True)
POINTS = [shapely.Point(1, 2), shapely.Point(3, 4)]
WKB = [shapely.to_wkb(point) for point in POINTS]


def path(name):
    return os.path.join(FOLDER, name + ".parquet")


def write(name, columns, metadata=None, **options):
    table = pa.table(columns)
    if metadata:
        table = table.replace_schema_metadata({"geo": json.dumps(metadata)})
    options.setdefault("compression", "none")
    pq.write_table(table, path(name), store_schema=metadata is not None, **options)


def geo(column="geometry", primary=None, **members):
    return {"version": "1.1.0", "primary_column": primary or column,
            "columns": {column: {"encoding": "WKB", "geometry_types": ["Point"], **members}}}


NAMES = ["a", "b"]
frame = gpd.GeoDataFrame({"name": NAMES}, geometry=POINTS, crs=4326)
frame.to_parquet(path("geo-1.0"), schema_version="1.0.0", compression=None)
frame.to_parquet(path("geo-1.1"), schema_version="1.1.0", compression=None)
frame.to_parquet(path("geo-arrow"), schema_version="1.1.0", geometry_encoding="geoarrow", compression=None)
frame.to_crs(25832).to_parquet(path("utm"), compression=None)

for name in ["geometry", "geom"]:
    write("binary-" + name, {"name": NAMES, name: WKB})
for name in ["wkt", "geom", "geometry", "the_geom"]:
    write("text-" + name, {"name": NAMES, name: ["POINT (1 2)", "POINT (3 4)"]})
write("numbers", {"name": NAMES, "lon": [1.0, 3.0], "lat": [2.0, 4.0]})
write("texts", {"name": NAMES, "lon": ["1", "3"], "lat": ["2", "4"]})
write("without-crs", {"name": NAMES, "geometry": WKB}, geo())
write("spherical", {"name": NAMES, "geometry": WKB}, geo(edges="spherical"))
write("heights", {"name": NAMES, "geometry": [shapely.to_wkb(shapely.Point(1, 2, 9)), WKB[1]]}, geo())
write("no-primary", {"name": NAMES, "geometry": WKB},
      {"version": "1.1.0", "columns": {"geometry": {"encoding": "WKB", "geometry_types": []}}})
write("wrong-primary", {"name": NAMES, "geometry": WKB}, geo(primary="shape"))
write("other-encoding", {"name": NAMES, "geometry": WKB}, geo() | {
    "columns": {"geometry": {"encoding": "TWKB", "geometry_types": []}}})

when = dt.datetime(2024, 2, 29, 12, 30, 15, 500000, tzinfo=dt.timezone.utc)
write("values", {
    "n": [1, None], "r": [1.5, None], "t": ["x", None], "b": [True, None], "d": [dt.date(2024, 2, 29), None],
    "h": [dt.time(12, 30, 15), None], "s": [when, None],
    "m": pa.array([decimal.Decimal("1.25"), None], pa.decimal128(10, 2)),
    "u": pa.array([uuid.UUID(int=1).bytes, None], pa.uuid())})
write("losses", {
    "n": [1, 2], "li": [[1], [2]], "st": [{"k": 1}, {"k": 2}], "ma": pa.array([[("k", 1)], []], pa.map_(pa.string(), pa.int32())),
    "by": [b"\x01", b"\x02"], "ts": pa.array([1, 1000], pa.timestamp("ns", "UTC"))})

for version in ["1.0", "2.0"]:
    write("pages-" + version, {"n": [5, 5], "t": ["x", "y"]}, data_page_version=version)
for encoding, columns in {
    "PLAIN": {"n": [5, 6], "t": ["x", "y"]}, "DELTA_BINARY_PACKED": {"n": [5, 6]}, "DELTA_LENGTH_BYTE_ARRAY": {"t": ["x", "y"]},
    "DELTA_BYTE_ARRAY": {"t": ["x", "xy"]}, "BYTE_STREAM_SPLIT": {"r": [1.5, 2.5]}, "RLE": {"b": [True, False]},
}.items():
    write("encoding-" + encoding.lower(), columns, use_dictionary=False, column_encoding={k: encoding for k in columns},
          data_page_version="2.0")
for codec in ["snappy", "gzip", "lz4", "zstd", "brotli"]:
    write("codec-" + codec, {"n": [5] * 50, "t": ["xyz"] * 50}, compression=codec, use_dictionary=False)
write("bomb", {"n": [0] * 2_000_000}, compression="zstd", use_dictionary=False, data_page_size=1 << 26)

collected = []
pq.write_table(pa.table({"n": [1, 2]}), os.path.join(FOLDER, "part.parquet"), metadata_collector=collected)
collected[0].set_file_path("part.parquet")
collected[0].write_metadata_file(path("elsewhere"))
os.remove(os.path.join(FOLDER, "part.parquet"))

# An encrypted file begins and ends with other letters.
with open(path("encoding-plain"), "rb") as plain, open(path("encrypted"), "wb") as encrypted:
    encrypted.write(b"PARE" + plain.read()[4:-4] + b"PARE")
# LZO has the number 3 in the footer, and gzip 2.
with open(path("codec-gzip"), "rb") as gzip, open(path("codec-lzo"), "wb") as lzo:
    column = b"\x18\x01n\x15"
    lzo.write(gzip.read().replace(column + b"\x04", column + b"\x06"))

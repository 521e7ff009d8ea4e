"""Makes the Arrow files in the folder Arrow, and Arrow/expected.json with what MapState must read from them.

    python make_arrow.py

Needs pyarrow, duckdb, polars, shapely and flatbuffers from PyPI; the versions are written to expected.json. All files
are made here from the values below, under MapState's licence.
"""
import datetime as dt
import decimal
import json
import os
import struct
import sys

import duckdb
import flatbuffers
import polars as pl
import pyarrow as pa
import pyarrow.ipc as ipc
import shapely

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "Arrow")
os.makedirs(FOLDER, exist_ok=True)
EPOCH = dt.datetime(1970, 1, 1, tzinfo=dt.timezone.utc)
cases = {}


def plain(value):
    """A value as in expected.json: timestamps in microseconds, dates and times as text."""
    if isinstance(value, dt.datetime):
        value = value if value.tzinfo else value.replace(tzinfo=dt.timezone.utc)
        return {"us": (value - EPOCH) // dt.timedelta(microseconds=1)}
    if isinstance(value, (dt.date, dt.time)):
        return value.isoformat(timespec="milliseconds") if isinstance(value, dt.time) and value.microsecond % 1000 == 0 \
            and value.microsecond else value.isoformat()
    return float(value) if isinstance(value, decimal.Decimal) else value


def expect(name, table, read=None, warnings=(), wkid=None, shapes=None, kind=None, values=None):
    """Notes what is read of a file: the fields `read` of a table, or other `values` for some of them."""
    fields = read if read is not None else table.column_names
    columns = {n: (values or {}).get(n) or [plain(v) for v in table.column(n).to_pylist()] for n in fields}
    cases[name] = {"fields": fields, "columns": [columns[n] for n in fields], "warnings": list(warnings)}
    if kind:
        cases[name].update({"wkid": wkid, "kind": kind, "shapes": shapes})


def write(name, table, batch=None, **options):
    path = os.path.join(FOLDER, name)
    options = ipc.IpcWriteOptions(**options)
    new = ipc.new_stream if name.endswith("s") else ipc.new_file
    with pa.OSFile(path, "wb") as file, new(file, table.schema, options=options) as writer:
        writer.write_table(table, max_chunksize=batch)


# Every type of a field.
utc = dt.timezone.utc
moment = dt.datetime(2024, 2, 29, 12, 34, 56, 789000, utc)
columns = {"null": pa.nulls(3), "bool": pa.array([True, None, False])}
for bits in (8, 16, 32, 64):
    columns[f"int{bits}"] = pa.array([-2 ** (bits - 1), None, 2 ** (bits - 1) - 1], f"int{bits}")
    columns[f"uint{bits}"] = pa.array([0, None, min(2**bits, 2**63) - 1], f"uint{bits}")
columns["half"] = pa.array([1.5, None, -0.0009765625], pa.float16())
columns["single"] = pa.array([0.5, None, -3.25], pa.float32())
columns["double"] = pa.array([0.1, None, -1e300])
for bits in (32, 64, 128, 256):
    make = getattr(pa, f"decimal{bits}")
    columns[f"decimal{bits}"] = pa.array([decimal.Decimal("1234.56"), None, decimal.Decimal("-0.01")], make(9, 2))
columns["tens"] = pa.array([decimal.Decimal("1.2E+5"), None, decimal.Decimal("-3E+3")], pa.decimal128(9, -3))
columns["utf8"] = pa.array(["Zürich", None, ""])
columns["large"] = pa.array(["a", None, "東京 and a longer text"], pa.large_string())
columns["view"] = pa.array(["short", None, "a text longer than twelve bytes"], pa.string_view())
columns["date32"] = pa.array([dt.date(1969, 12, 31), None, dt.date(9999, 12, 31)], pa.date32())
columns["date64"] = pa.array([dt.date(1, 1, 1), None, dt.date(2024, 2, 29)], pa.date64())
for unit in ("s", "ms", "us", "ns"):
    whole = moment.replace(microsecond=0) if unit == "s" else moment
    columns["zoned_" + unit] = pa.array([whole, None, EPOCH - dt.timedelta(seconds=1)], pa.timestamp(unit, "UTC"))
columns["zurich"] = pa.array([moment, None, EPOCH], pa.timestamp("ms", "Europe/Zurich"))
columns["time_s"] = pa.array([dt.time(23, 59, 59), None, dt.time(0)], pa.time32("s"))
columns["time_ms"] = pa.array([dt.time(1, 2, 3, 450000), None, dt.time(0)], pa.time32("ms"))
columns["time_us"] = pa.array([dt.time(1, 2, 3, 456789), None, dt.time(0)], pa.time64("us"))
columns["time_ns"] = pa.array([3723 * 10**9 + 1, None, 0], pa.time64("ns"))
types = pa.table(columns)
values = {"time_ns": ["01:02:03.000000001", None, "00:00:00"]}
for name, options in {
    "types.arrow": {}, "types.arrows": {}, "types-lz4.arrow": {"compression": "lz4"},
    "types-zstd.arrows": {"compression": "zstd"}, "types-v4.arrows": {"metadata_version": ipc.MetadataVersion.V4},
    "types-legacy.arrows": {"metadata_version": ipc.MetadataVersion.V4, "use_legacy_format": True},
}.items():
    write(name, types, **options)
    expect(name, types.drop_columns(["time_ns"]).append_column("time_ns", pa.nulls(3)), values=values)
write("types-batches.arrows", pa.concat_tables([types] * 3), batch=2, compression="zstd")
tripled = {n: v * 3 for n, v in values.items()}
expect("types-batches.arrows",
       pa.concat_tables([types.drop_columns(["time_ns"]).append_column("time_ns", pa.nulls(3))] * 3), values=tripled)
del cases["types-legacy.arrows"]  # Streams without the mark are not recognised; a test cuts the marks of a file.
os.remove(os.path.join(FOLDER, "types-legacy.arrows"))

# Values that a table cannot hold exactly.
losses = pa.table({
    "hash": pa.array([1, 2**64 - 1], pa.uint64()),
    "digits": pa.array([decimal.Decimal("1234567890123456789012.345"), decimal.Decimal("0.500")], pa.decimal128(38, 3)),
    "wide": pa.array([decimal.Decimal(-(10**60) - 1), decimal.Decimal(10**60)], pa.decimal256(76, 0)),
    "local": pa.array([0, 1], pa.timestamp("s")),
    "nanos": pa.array([-1, 1000], pa.timestamp("ns", "UTC")),
    "late": pa.array([2**62, 0], pa.timestamp("s", "UTC")),
    "day": pa.array([2**31 - 1, 0], pa.int32()).cast(pa.date32()),
    "real": pa.array([float("nan"), float("inf")]),
})
write("losses.arrow", losses)
cases["losses.arrow"] = {
    "fields": losses.column_names,
    "columns": [[1.0, float(2**64 - 1)], [1234567890123456789012.345, 0.5], [-1e60, 1e60], [{"us": 0}, {"us": 10**6}],
                [{"us": -1}, {"us": 1}], [None, {"us": 0}], [None, "1970-01-01"], [None, None]],
    "warnings": [
        "field hash: 1 whole number beyond 2^53 was rounded",
        "field digits: 1 decimal was rounded to double precision",
        "field wide: 1 decimal was rounded to double precision",
        "field local: 2 timestamps without a time zone were read as UTC",
        "field nanos: 1 timestamp was rounded down to microseconds",
        "field late: 1 impossible dates were read as null", "field day: 1 impossible dates were read as null",
        "field real: 2 values that are not finite numbers were read as null"],
}

# Types that are not read; the column after them shows that their buffers are counted.
ends = pa.array(["a", "b"])
ree = pa.RunEndEncodedArray.from_arrays([1, 2], ["x", "y"])
union = [pa.array([0, 1], pa.int8()), [pa.array([1, 2]), pa.array(["x", "y"])]]
unread = pa.table({
    "list": pa.array([[1], None]), "large_list": pa.array([["a"], []], pa.large_list(pa.string())),
    "fixed": pa.array([[1, 2], None], pa.list_(pa.int8(), 2)),
    "struct": pa.array([{"a": [{"b": "x"}]}, None]),
    "map": pa.array([[("k", 1)], None], pa.map_(pa.string(), pa.int64())),
    "dense": pa.UnionArray.from_dense(union[0], pa.array([0, 0], pa.int32()), [pa.array([1]), pa.array(["x"])]),
    "sparse": pa.UnionArray.from_sparse(*union),
    "duration": pa.array([1, None], pa.duration("s")),
    "interval": pa.array([(1, 2, 3), None], pa.month_day_nano_interval()),
    "runs": ree, "list_view": pa.array([[1], None], pa.list_view(pa.int64())),
    "large_list_view": pa.array([["a"], None], pa.large_list_view(pa.string_view())),
    "binary": pa.array([b"x", None]), "large_binary": pa.array([b"x", None], pa.large_binary()),
    "binary_view": pa.array([b"x" * 20, None], pa.binary_view()), "bytes": pa.array([b"xy", None], pa.binary(2)),
    "coded": pa.array([["a"], None], pa.list_(pa.dictionary(pa.int8(), pa.string()))), "last": ends,
})
names = {"large_list": "list", "large_binary": "binary", "binary_view": "binary", "fixed": "fixed-size list", "dense": "union", "sparse": "union",
         "runs": "run-end encoded", "large_list_view": "list_view", "bytes": "fixed-size binary", "coded": "list"}
# Lists, structures and maps are read as JSON text.
texts = {"list": ["[1]", None], "large_list": ['["a"]', "[]"], "fixed": ["[1,2]", None], "struct": ['{"a":[{"b":"x"}]}', None],
         "map": ['{"k":1}', None]}
shown = pa.table({n: texts.get(n, unread[n]) for n in unread.column_names})
warnings = [f"field {n}: values of type {names.get(n, n)} are not read" for n in unread.column_names[:-1] if n not in texts]
for name, options in {"unread.arrow": {}, "unread-zstd.arrows": {"compression": "zstd"},
                      "unread-v4.arrows": {"metadata_version": ipc.MetadataVersion.V4}}.items():
    write(name, unread, **options)
    expect(name, shown, read=[*texts, "last"], warnings=warnings)

# Dictionaries: of every index type, of several value types, with nulls on both sides, deltas and replacements.
coded = {"i" + str(bits): pa.DictionaryArray.from_arrays(pa.array([1, None, 0], f"{sign}int{bits}"), ["a", "b"])
         for bits, sign in ((8, ""), (16, "u"), (32, "u"), (64, ""))}
coded["numbers"] = pa.DictionaryArray.from_arrays(pa.array([1, None, 0], "int8"), pa.array([2.5, -1.0]))
coded["days"] = pa.DictionaryArray.from_arrays(pa.array([0, None, 0], "int8"), pa.array([dt.date(2020, 1, 2)]))
coded["holes"] = pa.DictionaryArray.from_arrays(pa.array([0, 1, 0], "int8"), pa.array([None, "x"]))
coded["views"] = pa.DictionaryArray.from_arrays(
    pa.array([0, 1, 0], "int8"), pa.array(["a text longer than twelve bytes", "x"], pa.string_view()))
coded = pa.table(coded)
write("dictionaries.arrow", coded)
write("dictionaries-lz4.arrows", coded, compression="lz4")
decoded = pa.table({n: pa.array(coded[n].to_pylist()) for n in coded.column_names})
for name in ("dictionaries.arrow", "dictionaries-lz4.arrows"):
    expect(name, decoded)
kinds = pa.dictionary(pa.int8(), pa.string())
for name, dictionaries, delta in (
    ("deltas.arrows", [["a", "b"], ["a", "b", "c"], ["a", "b", "c"], ["a", "b", "c", "d"]], True),
    ("replacements.arrows", [["a", "b"], ["x"], ["b", "a", "c"], ["d", "e", "f", "a"]], False),
    ("deltas.arrow", [["a", "b"], ["a", "b", "c"], ["a", "b", "c", "d"]], True),
):
    schema = pa.schema([("kind", kinds), ("n", pa.int32())])
    texts, numbers = [], []
    new = ipc.new_stream if name.endswith("s") else ipc.new_file
    with pa.OSFile(os.path.join(FOLDER, name), "wb") as file, new(
            file, schema, options=ipc.IpcWriteOptions(emit_dictionary_deltas=delta)) as writer:
        for number, words in enumerate(dictionaries):
            indices = [len(words) - 1, None, 0]
            writer.write_batch(pa.record_batch([
                pa.DictionaryArray.from_arrays(pa.array(indices, pa.int8()), words), pa.array([number] * 3, pa.int32())
            ], schema=schema))
            texts += [None if i is None else words[i] for i in indices]
            numbers += [number] * 3
    expect(name, pa.table({"kind": texts, "n": numbers}))

# Geometries.
PROJJSON = {"type": "ProjectedCRS", "name": "WGS 84 / UTM zone 32N", "id": {"authority": "EPSG", "code": 32632}}
P, L, A = "point", "polyline", "polygon"
shapes = {
    "point": (P, [[[1, 2]], None, [[3, 4]]], ["POINT (1 2)", None, "POINT (3 4)"]),
    "linestring": (L, [[[0, 0], [1, 1], [2, 0]], None, [[5, 5], [6, 6]]],
                   ["LINESTRING (0 0, 1 1, 2 0)", None, "LINESTRING (5 5, 6 6)"]),
    "polygon": (A, None, ["POLYGON ((0 0, 9 0, 9 9, 0 0), (5 1, 6 1, 6 2, 5 1))", None, "POLYGON ((0 0, 1 0, 1 1, 0 0))"]),
    "multipoint": ("multipoint", None, ["MULTIPOINT ((1 2), (3 4))", None, "MULTIPOINT ((5 6))"]),
    "multilinestring": (L, None, ["MULTILINESTRING ((0 0, 1 1), (2 2, 3 3))", None, "MULTILINESTRING ((5 5, 6 6))"]),
    "multipolygon": (A, None, ["MULTIPOLYGON (((0 0, 9 0, 9 9, 0 0), (5 1, 6 1, 6 2, 5 1)), ((20 0, 21 0, 21 1, 20 0)))",
                               None, "MULTIPOLYGON (((0 0, 1 0, 1 1, 0 0)))"]),
}


def parts(text):
    """The parts of a geometry as lists of positions; None for none."""
    if text is None:
        return None
    shape = shapely.from_wkt(text)
    out = []
    for single in getattr(shape, "geoms", [shape]):
        if single.geom_type == "Polygon":
            out += [list(map(list, ring.coords)) for ring in (single.exterior, *single.interiors)]
        elif shape.geom_type == "MultiPoint":
            out = out or [[]]
            out[0].append(list(single.coords[0]))
        else:
            out.append(list(map(list, single.coords)))
    return [[c[:2] for c in part] for part in out]


def nested(text):
    """The coordinates of a geometry in lists as deep as GeoJSON's."""
    return None if text is None else json.loads(json.dumps(shapely.geometry.mapping(shapely.from_wkt(text))["coordinates"]))


def position_type(dims, separated):
    if separated:
        return pa.struct([pa.field(d, pa.float64(), nullable=False) for d in dims])
    return pa.list_(pa.field(dims, pa.float64(), nullable=False), len(dims))


def native(texts, kind, dims, separated, large):
    depth = {"point": 0, "linestring": 1, "multipoint": 1, "polygon": 2, "multilinestring": 2, "multipolygon": 3}[kind]
    type_ = position_type(dims, separated)

    def position(p):
        p = (list(p) + [7.0, 8.0])[:len(dims)]
        return dict(zip(dims, p)) if separated else p

    def walk(value, left):
        return None if value is None else position(value) if left == 0 else [walk(v, left - 1) for v in value]

    for _ in range(depth):
        type_ = (pa.large_list if large else pa.list_)(type_)
    return pa.array([walk(nested(t), depth) for t in texts], type_)


def geometry(name, array, extension, metadata, texts, kind, wkid, warnings=(), options={}, schema=None):
    meta = {"ARROW:extension:name": extension} if extension else {}
    if metadata is not None:
        meta["ARROW:extension:metadata"] = metadata if isinstance(metadata, str) else json.dumps(metadata)
    field = pa.field("geometry", array.type, metadata=meta)
    table = pa.Table.from_arrays([pa.array(["a", "b", "c"][:len(array)]), array],
                                 schema=pa.schema([pa.field("n", pa.string()), field], metadata=schema))
    write(name, table, **options)
    expect(name, table, read=["n"], warnings=warnings, wkid=wkid, shapes=[parts(t) for t in texts], kind=kind)


crs = {"crs": PROJJSON, "crs_type": "projjson"}
for kind, (form, _, texts) in shapes.items():
    for separated, dims, large in ((True, "xy", False), (False, "xy", False), (True, "xyz", True), (False, "xyzm", True)):
        lost = [] if dims == "xy" else ["2 geometries: coordinates beyond the second (Z, M) were dropped"]
        name = f"geo-{kind}-{dims}{'' if separated else '-interleaved'}.arrow"
        geometry(name, native(texts, kind, dims, separated, large), "geoarrow." + kind, crs, texts, form, 32632, lost)
texts = shapes["multipolygon"][2]
wkb = [None if t is None else shapely.from_wkt(t).wkb for t in texts]
for name, type_, extension in (("wkb", pa.binary(), "geoarrow.wkb"), ("wkb-large", pa.large_binary(), "geoarrow.wkb"),
                               ("wkb-view", pa.binary_view(), "geoarrow.wkb"), ("wkb-ogc", pa.binary(), "ogc.wkb")):
    geometry(f"geo-{name}.arrows", pa.array(wkb, type_), extension, crs, texts, A, 32632, options={"compression": "lz4"})
geometry("geo-wkb-dictionary.arrow", pa.array(wkb).dictionary_encode(), "geoarrow.wkb", crs, texts, A, 32632)
for name, type_ in (("wkt", pa.string()), ("wkt-view", pa.string_view())):
    geometry(f"geo-{name}.arrow", pa.array(texts, type_), "geoarrow.wkt", crs, texts, A, 32632)
mixed = ["POINT (1 2)", "POLYGON ((0 0, 1 0, 1 1, 0 0))", "LINESTRING (0 0, 1 1)"]
geometry("geo-mixed.arrow", pa.array([shapely.from_wkt(t).wkb for t in mixed]), "geoarrow.wkb", {"crs": "EPSG:4326"},
         mixed, "mixed", 4326)

# Spatial references.
point = pa.array([shapely.from_wkt("POINT (8 47)").wkb])
guess = ("no spatial reference is given: coordinates were read as WGS 84 (4326); name another with --source-reference")
for number, (crs_, wkid, warnings) in enumerate((
    ({"crs": "OGC:CRS84"}, 4326, []), ({"crs": "EPSG:2056", "crs_type": "authority_code"}, 2056, []),
    ({"crs": "ESRI:102100"}, 3857, []), ({"crs": "4326", "crs_type": "srid"}, 4326, []),
    ({"crs": json.dumps(PROJJSON)}, 32632, []), ({"crs": {"type": "GeographicCRS", "name": "WGS 84"}}, 4326, []),
    ({"crs": {"type": "CompoundCRS", "name": "x", "components": [PROJJSON, {"name": "EGM96 height"}]}}, 32632, []),
    ({"crs": 'GEOGCRS["Stated by its code",DATUM["x",ELLIPSOID["y",1,1,ID["EPSG",1]]],ID["EPSG",4258]]',
      "crs_type": "wkt2:2019"}, 4258, []),
    ({"crs": "urn:ogc:def:crs:EPSG::3035"}, 3035, []), ({"crs": None}, 4326, [guess]), ({}, 4326, [guess]), (None, 4326, [guess]),
    ({"crs": "EPSG:4326", "edges": "spherical"}, 4326,
     ["field geometry: edges are spherical; they were read as straight lines"]),
)):
    geometry(f"crs-{number}.arrow", point, "geoarrow.wkb", crs_, ["POINT (8 47)"], P, wkid, warnings)
remark = "field geometry: its bytes were read as geometries in well-known binary"
geometry("plain-wkb.arrow", point, None, None, ["POINT (8 47)"], P, 4326, [remark, guess])
for number, (column, wkid, warnings) in enumerate((
    ({"encoding": "WKB"}, 4326, []), ({"encoding": "WKB", "crs": PROJJSON}, 32632, []),
    ({"encoding": "WKB", "crs": None}, 4326, [guess]),
)):
    geo = json.dumps({"version": "1.1.0", "primary_column": "geometry", "columns": {"geometry": column}})
    geometry(f"geoparquet-{number}.arrow", point, None, None, ["POINT (8 47)"], P, wkid, warnings, schema={"geo": geo})

# Coordinates in columns, and a second geometry.
for name, x, y, wkid, warnings in (
    ("degrees", "Longitude", "LAT", 4326, []), ("plane", "x", "Y", 3857,
     ["no spatial reference is given: coordinates were read as Web Mercator (3857); name another with --source-reference"]),
):
    scale = 1 if name == "degrees" else 1000
    table = pa.table({"n": ["a", "b"], x: pa.array([7.0 * scale, None], pa.float32()), y: pa.array([47 * scale, 1], pa.int64())})
    write(f"points-{name}.arrow", table)
    expect(f"points-{name}.arrow", table, wkid=wkid, kind=P, shapes=[[[[7.0 * scale, 47.0 * scale]]], None],
           warnings=["1 row with one coordinate of two was read without geometry"] + warnings)
second = pa.field("second", pa.binary(), metadata={"ARROW:extension:name": "geoarrow.wkb"})
first = pa.field("first", pa.binary(), metadata={"ARROW:extension:name": "geoarrow.wkb",
                                                 "ARROW:extension:metadata": '{"crs":"EPSG:3857"}'})
table = pa.Table.from_arrays([point, point], schema=pa.schema([first, second]))
write("two-geometries.arrow", table)
expect("two-geometries.arrow", table, read=[], wkid=3857, kind=P, shapes=[[[[8.0, 47.0]]]],
       warnings=["field second: only one geometry, first, is read"])
box = pa.field("box", pa.struct([(n, pa.float64()) for n in ("xmin", "ymin", "xmax", "ymax")]),
               metadata={"ARROW:extension:name": "geoarrow.box"})
table = pa.Table.from_arrays([pa.array([{"xmin": 1, "ymin": 2, "xmax": 3, "ymax": 4}], box.type)], schema=pa.schema([box]))
write("box.arrow", table)
expect("box.arrow", table, read=[], warnings=["field box: geometries of type geoarrow.box are not read"])

# Names, and tables without rows or fields.
table = pa.Table.from_arrays([pa.array([1]), pa.array([2]), pa.array([3])], names=["a", "", "a"])
write("names.arrow", table)
cases["names.arrow"] = {"fields": ["a", "field2", "a_2"], "columns": [[1], [2], [3]],
                        "warnings": ["fields: names that were empty or occurred before became field2, a_2"]}
for name, table in (("no-rows.arrows", types.slice(0, 0).select(["int8", "utf8"])), ("no-fields.arrow", pa.table({}))):
    write(name, table)
    expect(name, table)
write("sliced.arrow", types.slice(1, 2).select(["bool", "utf8", "view", "int8"]))
expect("sliced.arrow", types.slice(1, 2).select(["bool", "utf8", "view", "int8"]))

# Other writers.
frame = pl.DataFrame({
    "text": ["short", None, "a text longer than twelve bytes"], "kind": pl.Series(["a", "b", "a"], dtype=pl.Categorical),
    "enum": pl.Series(["x", None, "y"], dtype=pl.Enum(["x", "y"])), "n": pl.Series([1, None, 3], dtype=pl.UInt8),
    "price": pl.Series([decimal.Decimal("1.25"), None, decimal.Decimal("-3.50")], dtype=pl.Decimal(10, 2)),
    "at": pl.Series([moment, None, EPOCH], dtype=pl.Datetime("us", "UTC")), "on": [dt.date(2024, 1, 2), None, dt.date(1970, 1, 1)],
    "yes": [True, None, False],
})
columns = [[plain(v) for v in frame[n].to_list()] for n in frame.columns]
for name, compression in (("polars.arrow", "uncompressed"), ("polars-lz4.arrow", "lz4"), ("polars-zstd.arrow", "zstd")):
    frame.write_ipc(os.path.join(FOLDER, name), compression=compression)
    cases[name] = {"fields": frame.columns, "columns": columns, "warnings": []}
frame.write_ipc_stream(os.path.join(FOLDER, "polars.arrows"), compression="zstd")
cases["polars.arrows"] = cases["polars.arrow"]
sql = """select * from (values
    (1::tinyint, 2::usmallint, 3::hugeint, 1.25, 2.5::float, 'a', true, date '2024-02-29', time '01:02:03.5',
     timestamptz '2024-02-29 12:34:56.789+00', 'x'::enum_kind, 8.5, 47.25),
    (null, null, null, null, null, null, null, null, null, null, null, null, null))
    t(t8, u16, huge, price, single, word, yes, day, clock, instant, kind, longitude, latitude)"""
link = duckdb.connect()
link.execute("create type enum_kind as enum ('w', 'x')")
link.execute("set timezone = 'UTC'")
table = link.sql(sql).to_arrow_table()
write("duckdb.arrows", table)
cases["duckdb.arrows"] = {
    "fields": table.column_names, "warnings": [], "wkid": 4326, "kind": P, "shapes": [[[[8.5, 47.25]]], None],
    "columns": [[1, None], [2, None], [3.0, None], [1.25, None], [2.5, None], ["a", None], [True, None],
                ["2024-02-29", None], ["01:02:03.500", None], [{"us": (moment - EPOCH) // dt.timedelta(microseconds=1)}, None],
                ["x", None], [8.5, None], [47.25, None]],
}


def big_endian():
    """A stream whose schema says that its numbers are big-endian."""
    builder = flatbuffers.Builder(64)
    builder.StartVector(4, 0, 4)
    fields = builder.EndVector()
    builder.StartObject(2)
    builder.PrependInt16Slot(0, 1, 0)
    builder.PrependUOffsetTRelativeSlot(1, fields, 0)
    schema = builder.EndObject()
    builder.StartObject(4)
    builder.PrependInt16Slot(0, 4, 0)
    builder.PrependUint8Slot(1, 1, 0)
    builder.PrependUOffsetTRelativeSlot(2, schema, 0)
    builder.Finish(builder.EndObject())
    content = bytes(builder.Output())
    content += bytes(-len(content) % 8)
    return b"\xff\xff\xff\xff" + struct.pack("<i", len(content)) + content + b"\xff\xff\xff\xff\0\0\0\0"


# What is refused.
errors = {"big-endian.arrows": "its numbers are big-endian, which is not read"}
with open(os.path.join(FOLDER, "big-endian.arrows"), "wb") as file:
    file.write(big_endian())
for name, array, extension, metadata, error in (
    ("bad-crs.arrow", point, "geoarrow.wkb", {"crs": {"name": "My grid"}},
     'its spatial reference "My grid" has no EPSG code; name one with --source-reference'),
    ("bad-metadata.arrow", point, "geoarrow.wkb", "EPSG:4326",
     "field geometry: the metadata of its extension type are not a JSON object"),
    ("bad-wkb.arrow", pa.array([b"\x01\x01"]), "geoarrow.wkb", {},
     "field geometry: row 1: well-known binary ends before the geometry does"),
    ("bad-storage.arrow", pa.array([1]), "geoarrow.wkb", {},
     "field geometry: geometries of type wkb cannot be stored as int64"),
    ("bad-point.arrow", pa.array([[1.0, 2.0]]), "geoarrow.point", {},
     "field geometry: geometries of type point cannot be stored as list"),
):
    geometry(name, array, extension, metadata, ["POINT (8 47)"], P, 0)
    del cases[name]
    errors[name] = error

versions = {m.__name__: m.__version__ for m in (pa, duckdb, pl, shapely, flatbuffers)}
with open(os.path.join(FOLDER, "expected.json"), "w", encoding="utf-8") as file:
    json.dump({"made with": versions, "cases": cases, "errors": errors}, file, ensure_ascii=False, indent=1)
    file.write("\n")
print(len(cases), "cases,", len(errors), "errors", file=sys.stderr)

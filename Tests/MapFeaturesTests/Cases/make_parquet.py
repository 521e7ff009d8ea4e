"""Makes Parquet files with pyarrow, geopandas, DuckDB and polars, and expected.json with pyarrow's reading of them.

    python make_parquet.py FOLDER [COUNT] [ROWS]

COUNT files (default: 300) with up to ROWS rows (default: 400), over writers, versions, encodings, codecs, page sizes, row
groups, types and geometries; every choice comes from a seed. The tests read the 72 small files of the folder Parquet,
made with COUNT 72 and ROWS 24, and those of the folder that MAPSTATE_PARQUET_FILES names. From the 60th file on, every
second one has lists, structures and maps, or indexes of pages and bloom filters.

Needs pyarrow, geopandas, duckdb and polars from PyPI; the versions are written to expected.json. All files are made here
from random values, under MapState's licence.
"""
import datetime as dt
import decimal
import json
import math
import os
import random
import sys
import uuid

import duckdb
import geopandas as gpd
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import shapely

FOLDER = sys.argv[1]
COUNT = int(sys.argv[2]) if len(sys.argv) > 2 else 300
ROWS = int(sys.argv[3]) if len(sys.argv) > 3 else 400
os.makedirs(FOLDER, exist_ok=True)
WORDS = ["", "a", "Zürich", "東京", "a text that is longer than twelve bytes", "prefix/of/a/path/1", "prefix/of/a/path/22"]


# Values

def some(random_, rows, make, nulls, runs):
    """`rows` values of `make`, with a share of nulls, some of them repeated in runs."""
    values = []
    while len(values) < rows:
        value = None if random_.random() < nulls else make()
        values += [value] * (random_.randrange(1, 40) if runs else 1)
    return values[:rows]


def column(r, rows):
    """A random column of a random type."""
    nulls, runs = r.choice([0, 0, 0.1, 0.5, 1]), r.random() < 0.4
    bits = r.choice([8, 16, 32, 64])
    small = r.random() < 0.5
    top = 100 if small else 2 ** (bits - 1) - 1
    def many(make, type_):
        return pa.array(some(r, rows, make, nulls, runs), type_)
    form = r.choice(["int", "uint", "half", "single", "double", "bool", "text", "text", "category", "large", "date32",
                     "date64", "time", "stamp", "stamp", "decimal", "decimal", "uuid", "null", "binary", "list",
                     "struct", "map", "ordered"])
    if form == "int":
        return many(lambda: r.randint(-top, top), pa.int8() if bits == 8 else getattr(pa, f"int{bits}")())
    if form == "uint":
        return many(lambda: r.randint(0, min(top, 255) if bits == 8 else top), getattr(pa, f"uint{bits}")())
    if form == "half":
        return many(lambda: np.float16(r.uniform(-100, 100)), pa.float16())
    if form == "single":
        return many(lambda: r.choice([r.uniform(-1e6, 1e6), 0.5, float("nan")]), pa.float32())
    if form == "double":
        return many(lambda: r.choice([r.uniform(-1e9, 1e9), r.gauss(0, 1) * 10 ** r.randint(-300, 300), -0.0, float("inf")]),
                    pa.float64())
    if form == "bool":
        return many(lambda: r.random() < 0.5, pa.bool_())
    if form in ("text", "large"):
        return many(lambda: r.choice(WORDS) + (str(r.randrange(10**6)) if r.random() < 0.3 else ""),
                    pa.string() if form == "text" else pa.large_string())
    if form == "category":
        return many(lambda: r.choice(WORDS), pa.string()).dictionary_encode()
    if form == "date32":
        return many(lambda: dt.date(1, 1, 1) + dt.timedelta(days=r.randrange(3_650_000)), pa.date32())
    if form == "date64":
        return many(lambda: dt.date(1900, 1, 1) + dt.timedelta(days=r.randrange(100_000)), pa.date64())
    if form == "time":
        unit = r.choice(["s", "ms", "us", "ns"])
        scale = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}[unit]
        type_ = pa.time32(unit) if unit in ("s", "ms") else pa.time64(unit)
        return many(lambda: r.randrange(86_400 * scale), pa.int32() if unit in ("s", "ms") else pa.int64()).cast(type_)
    if form == "stamp":
        unit = r.choice(["s", "ms", "us", "ns"])
        scale = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}[unit]
        zone = r.choice([None, "UTC", "Europe/Zurich"])
        return many(lambda: r.randrange(-2**32, 2**33) * scale + r.randrange(scale), pa.int64()).cast(pa.timestamp(unit, zone))
    if form == "decimal":
        precision = r.choice([4, 9, 15, 18, 30, 38, 60])
        scale = r.randrange(0, min(precision, 12))
        def make():
            with decimal.localcontext(prec=80):
                return decimal.Decimal(r.randint(-10**precision + 1, 10**precision - 1)).scaleb(-scale)
        return many(make, pa.decimal128(precision, scale) if precision <= 38 else pa.decimal256(precision, scale))
    if form == "uuid":
        return pa.ExtensionArray.from_storage(
            pa.uuid(), many(lambda: uuid.UUID(int=r.getrandbits(128)).bytes, pa.binary(16)))
    if form == "null":
        return pa.nulls(rows)
    if form == "binary":
        return many(lambda: r.randbytes(r.randrange(20)), r.choice([pa.binary(), pa.large_binary()]))
    if form == "list":
        return many(lambda: some(r, r.randrange(5), lambda: r.randrange(100), 0.2, False), pa.list_(pa.int32()))
    if form == "struct":
        return many(lambda: {"a": r.randrange(9), "b": [r.choice(WORDS)]},
                    pa.struct([("a", pa.int64()), ("b", pa.list_(pa.string()))]))
    if form == "map":
        return many(lambda: [("k", r.randrange(9))], pa.map_(pa.string(), pa.int64()))
    start = r.randrange(10**6)
    return pa.array(range(start, start + rows), pa.int64())


# Geometries

def position(r, dims):
    return tuple(round(r.uniform(-80, 80), r.choice([0, 3, 12])) for _ in range(dims))


def polygon(r, dims, left):
    """A square with a hole, one of several beside each other."""
    x, y, size = left + 0.5, round(r.uniform(-50, 50), 3), round(r.uniform(1, 5), 3)
    def ring(x, y, size):
        points = [(x, y), (x, y + size), (x + size, y + size), (x + size, y), (x, y)]
        return [p + (1.5,) * (dims - 2) for p in points]
    holes = [ring(x + size / 4, y + size / 4, size / 4)] if r.random() < 0.4 else []
    return shapely.Polygon(ring(x, y, size), holes)


def shape(r, kind, dims):
    if r.random() < 0.05:
        return shapely.from_wkt({"point": "POINT", "line": "LINESTRING", "polygon": "POLYGON", "points": "MULTIPOINT",
                                 "lines": "MULTILINESTRING", "polygons": "MULTIPOLYGON"}[kind] + " EMPTY")
    line = lambda: shapely.LineString([position(r, dims) for _ in range(r.randrange(2, 6))])
    match kind:
        case "point": return shapely.Point(position(r, dims))
        case "points": return shapely.MultiPoint([position(r, dims) for _ in range(r.randrange(1, 4))])
        case "line": return line()
        case "lines": return shapely.MultiLineString([line() for _ in range(r.randrange(1, 4))])
        case "polygon": return polygon(r, dims, r.randrange(-70, 60))
        case _: return shapely.MultiPolygon([polygon(r, dims, -70 + 10 * i) for i in range(r.randrange(1, 4))])


KINDS = {"point": "point", "line": "polyline", "lines": "polyline", "polygon": "polygon", "polygons": "polygon",
         "points": "multipoint"}


def parts(geometry):
    """The parts of a geometry as lists of positions; None for none."""
    if geometry is None or geometry.is_empty:
        return None
    out = []
    for single in getattr(geometry, "geoms", [geometry]):
        if single.geom_type == "Polygon":
            out += [list(ring.coords) for ring in (single.exterior, *single.interiors)]
        elif geometry.geom_type == "MultiPoint":
            out = out or [[]]
            out[0].append(single.coords[0])
        else:
            out.append(list(single.coords))
    return [[list(c[:2]) for c in part] for part in out]


# Expectation

def is_read(type_):
    """Whether values of a type are read within JSON text."""
    if pa.types.is_list(type_) or pa.types.is_large_list(type_) or pa.types.is_fixed_size_list(type_):
        return is_read(type_.value_type)
    if pa.types.is_map(type_):
        return is_read(type_.key_type) and is_read(type_.item_type)
    if pa.types.is_struct(type_):
        return all(is_read(f.type) for f in type_)
    return not (pa.types.is_binary(type_) or pa.types.is_large_binary(type_) or pa.types.is_fixed_size_binary(type_)
                or pa.types.is_duration(type_) or pa.types.is_interval(type_))


def json_text(value, type_):
    """The JSON text of a value within lists, structures and maps."""
    quoted = lambda text: json.dumps(text, ensure_ascii=False)
    if value is None:
        return "null"
    if pa.types.is_list(type_) or pa.types.is_large_list(type_) or pa.types.is_fixed_size_list(type_):
        return "[" + ",".join(json_text(v, type_.value_type) for v in value) + "]"
    if pa.types.is_map(type_):
        pairs = [(json_text(k, type_.key_type), json_text(v, type_.item_type)) for k, v in value]
        return "{" + ",".join((k if k[0] == '"' else quoted(k)) + ":" + v for k, v in pairs) + "}"
    if pa.types.is_struct(type_):
        return "{" + ",".join(quoted(f.name) + ":" + json_text(value[f.name], f.type) for f in type_) + "}"
    single = plain(pa.chunked_array([pa.array([value], type_)]))[0]
    if single is None:
        return "null"
    if isinstance(single, dict):
        # As timestamps are written elsewhere, in UTC and without zeros at the end of the fraction.
        moment = dt.datetime(1970, 1, 1) + dt.timedelta(microseconds=single["us"])
        fraction = f".{moment.microsecond:06}".rstrip("0") if moment.microsecond else ""
        return quoted(moment.strftime("%Y-%m-%dT%H:%M:%S").zfill(19) + fraction + "Z")
    if isinstance(single, bool):
        return "true" if single else "false"
    return quoted(single) if isinstance(single, str) else repr(single)


def plain(column):
    """The values of a column as in expected.json; None for a type that is not read."""
    type_ = column.type
    if isinstance(type_, pa.DictionaryType):
        column = column.cast(type_.value_type)
        type_ = column.type
    if isinstance(type_, pa.UuidType):
        return [None if v is None else str(v) for v in column.to_pylist()]
    if pa.types.is_null(type_):
        return [None] * len(column)
    if pa.types.is_timestamp(type_):
        factor = {"s": 10**6, "ms": 1000, "us": 1, "ns": None}[type_.unit]
        numbers = column.cast(pa.int64()).to_pylist()
        return [None if n is None else {"us": n * factor if factor else n // 1000} for n in numbers]
    if pa.types.is_duration(type_):
        return column.cast(pa.int64()).to_pylist()
    if pa.types.is_date(type_):
        return [None if d is None else d.isoformat() for d in column.to_pylist()]
    if pa.types.is_time(type_):
        unit = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}[type_.unit]
        numbers = column.cast(pa.int32() if pa.types.is_time32(type_) else pa.int64()).to_pylist()
        def text(n):
            if n is None:
                return None
            seconds, rest = divmod(n, unit)
            fraction = f"{rest * (10**9 // unit):09}" if rest else ""
            while fraction.endswith("000"):
                fraction = fraction[:-3]
            return f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}" + ("." + fraction if fraction else "")
        return [text(n) for n in numbers]
    if pa.types.is_decimal(type_):
        return [None if d is None else float(d) for d in column.to_pylist()]
    if pa.types.is_floating(type_):
        return [None if v is None or not math.isfinite(v) else float(v) for v in column.to_pylist()]
    if pa.types.is_integer(type_) or pa.types.is_boolean(type_) or pa.types.is_string(type_) or \
            pa.types.is_large_string(type_) or pa.types.is_string_view(type_):
        return column.to_pylist()
    if pa.types.is_nested(type_) and is_read(type_):
        return [None if v is None else json_text(v, type_) for v in column.to_pylist()]
    return None


def expect(path, geometry=None, kind=None, wkid=None):
    """What pyarrow reads of a file; `geometry` names the column of well-known binary, or holds the shapes themselves."""
    table = pq.read_table(path, arrow_extensions_enabled=True)
    name = geometry if isinstance(geometry, str) else "geometry" if geometry is not None else None
    shapes = None
    if isinstance(geometry, str):
        column = table.column(geometry).combine_chunks()
        shapes = [parts(None if v is None else shapely.from_wkb(v)) for v in
                  (column.storage if isinstance(column, pa.ExtensionArray) else column).to_pylist()]
    elif geometry is not None:
        shapes = [parts(g) for g in geometry]
    geo = json.loads((table.schema.metadata or {}).get(b"geo", b"{}"))
    boxes = geo.get("columns", {}).get(name, {}).get("covering", {}).get("bbox", {}).get("xmin", [None])[0]
    fields = {n: values for n in table.column_names
              if n not in (name, boxes) and (values := plain(table.column(n))) is not None}
    expected = {"rows": len(table), "fields": list(fields), "columns": list(fields.values())}
    if shapes is not None:
        expected.update({"kind": kind, "wkid": wkid, "shapes": shapes})
    return expected


# Writers

def pyarrow_options(r, table):
    version = r.choice(["1.0", "2.0"])
    options = {
        "version": r.choice(["1.0", "2.4", "2.6"]), "data_page_version": version,
        "compression": r.choice(["none", "snappy", "gzip", "lz4", "zstd"]),
        "data_page_size": r.choice([64, 700, 5000, 1 << 20]), "write_batch_size": r.choice([7, 100, 1024]),
        "row_group_size": r.choice([13, 100, 1 << 20]), "dictionary_pagesize_limit": r.choice([40, 500, 1 << 20]),
        "write_statistics": r.random() < 0.8, "write_page_index": r.random() < 0.5,
        "write_page_checksum": r.random() < 0.3, "store_schema": r.random() < 0.7,
        "store_decimal_as_integer": r.random() < 0.3,
    }
    if any("[ns" in str(t) for t in table.schema.types):
        options["version"] = "2.6"  # Older versions have no nanoseconds.
    if r.random() < 0.2:
        options["use_deprecated_int96_timestamps"] = True
    if r.random() < 0.6:
        options["use_dictionary"] = False
        encodings = {}
        for field in table.schema:
            choices = ["PLAIN"]
            t = field.type
            if pa.types.is_integer(t) or pa.types.is_date(t) or pa.types.is_time(t) or pa.types.is_timestamp(t):
                choices += ["DELTA_BINARY_PACKED", "BYTE_STREAM_SPLIT"]
                if pa.types.is_timestamp(t) and "use_deprecated_int96_timestamps" in options:
                    choices = ["PLAIN"]
            elif pa.types.is_floating(t) or pa.types.is_decimal(t) and not options["store_decimal_as_integer"] \
                    or isinstance(t, pa.UuidType):
                choices += ["BYTE_STREAM_SPLIT"]
            elif pa.types.is_string(t) or pa.types.is_large_string(t) or pa.types.is_binary(t) or pa.types.is_large_binary(t):
                choices += ["DELTA_LENGTH_BYTE_ARRAY", "DELTA_BYTE_ARRAY"]
            elif pa.types.is_boolean(t):
                choices += ["RLE"]
            if not pa.types.is_nested(t):
                encodings[field.name] = r.choice(choices)
        options["column_encoding"] = encodings
    return options


def table(r, rows, plain_only=False):
    arrays = []
    for _ in range(r.randrange(3, 9)):
        array = column(r, rows)
        while plain_only and (pa.types.is_nested(array.type) or pa.types.is_null(array.type) or pa.types.is_decimal(array.type)
                              or isinstance(array.type, pa.UuidType) or pa.types.is_float16(array.type)
                              or pa.types.is_time(array.type) or pa.types.is_dictionary(array.type)):
            array = column(r, rows)
        arrays.append(array)
    return pa.table({f"c{i}": a for i, a in enumerate(arrays)})


def by_pyarrow(r, rows, path):
    t = table(r, rows)
    if r.random() < 0.15:  # Columns that are never null.
        t = pa.Table.from_arrays(
            [c for c in t.columns],
            schema=pa.schema([pa.field(f.name, f.type, nullable=c.null_count > 0) for f, c in zip(t.schema, t.columns)]))
    pq.write_table(t, path, **pyarrow_options(r, t))
    return expect(path)


def by_polars(r, rows, path):
    frame = pl.from_arrow(table(r, rows, plain_only=True))
    if r.random() < 0.5:
        frame = frame.with_columns(pl.Series("cat", [r.choice(WORDS) for _ in range(rows)], dtype=pl.Categorical))
    frame.write_parquet(path, compression=r.choice(["uncompressed", "snappy", "gzip", "lz4", "zstd"]),
                        statistics=r.random() < 0.7, row_group_size=r.choice([None, 20, 150]),
                        data_page_size=r.choice([None, 100, 2000]))
    return expect(path)


def by_duckdb(r, rows, path):
    source = table(r, rows, plain_only=True)
    groups = r.choice(["", ", row_group_size 2048"])
    options = f"format parquet, compression {r.choice(['uncompressed', 'snappy', 'gzip', 'zstd', 'lz4_raw'])}, " \
              f"parquet_version {r.choice(['v1', 'v2'])}{groups}"
    if r.random() < 0.3:
        options += f", dictionary_size_limit {r.choice([1, 100])}"
    connection = duckdb.connect()
    connection.register("source", source)
    if r.random() < 0.5:
        connection.sql("create type mood as enum ('sad', 'ok')")
        extra = ", 'ok'::mood as mood, 12.5::decimal(9, 3) as dec, '00112233-4455-6677-8899-aabbccddeeff'::uuid as id, time '01:02:03.5' as t, " \
                "timestamptz '2024-02-29 12:00:00+01' as z, interval 1 day as iv, [1, 2] as li, {'a': 1} as st"
    else:
        extra = ""
    connection.sql(f"copy (select *{extra} from source) to '{path}' ({options})")
    return expect(path)


CRS = [(4326, 4326), ("OGC:CRS84", 4326), (3857, 3857), (2056, 2056), (32632, 32632)]


def by_geopandas(r, rows, path):
    kind = r.choice(list(KINDS))
    dims = r.choice([2, 2, 3])
    shapes = some(r, rows, lambda: shape(r, kind, dims), r.choice([0, 0.2]), False)
    if all(s is None or s.is_empty for s in shapes):
        shapes[0] = shape(random.Random(1), kind, dims)
    crs, wkid = r.choice(CRS)
    frame = gpd.GeoDataFrame({"n": range(rows), "s": [r.choice(WORDS) for _ in range(rows)]}, geometry=shapes, crs=crs)
    native = r.random() < 0.5
    options = {"compression": r.choice(["snappy", "gzip", "zstd", "lz4"]), "row_group_size": r.choice([None, 17, 100])}
    if native:
        # An empty point cannot be told from a point of NaN.
        frame.to_parquet(path, geometry_encoding="geoarrow", schema_version="1.1.0", write_covering_bbox=r.random() < 0.5,
                         index=False, **options)
    else:
        version = r.choice(["0.4.0", "1.0.0", "1.1.0"])
        frame.to_parquet(path, schema_version=version, index=False,
                         write_covering_bbox=version == "1.1.0" and r.random() < 0.5, **options)
    return expect(path, shapes, KINDS[kind], wkid)


def geometry_type(crs, edges):
    """pyarrow writes an extension type of this name as Parquet's own GEOMETRY, or as GEOGRAPHY with edges."""
    class WellKnownBinary(pa.ExtensionType):
        def __init__(self):
            super().__init__(pa.binary(), "geoarrow.wkb")
        def __arrow_ext_serialize__(self):
            members = {} if crs is None else {"crs": crs}
            return json.dumps(members | ({"edges": edges} if edges else {})).encode()
        @classmethod
        def __arrow_ext_deserialize__(cls, storage_type, serialized):
            return cls()
    return WellKnownBinary()


def by_native(r, rows, path):
    """Parquet's own geometries, by pyarrow or DuckDB."""
    kind = r.choice(list(KINDS))
    shapes = some(r, rows, lambda: shape(r, kind, r.choice([2, 2, 3])), r.choice([0, 0.3]), False)
    if all(s is None or s.is_empty for s in shapes):
        shapes[0] = shape(random.Random(1), kind, 2)
    wkb = [None if s is None else shapely.to_wkb(s, flavor="iso") for s in shapes]
    if r.random() < 0.4:
        connection = duckdb.connect()
        connection.register("source", pa.table({"n": range(rows), "w": pa.array(wkb, pa.binary())}))
        connection.sql(f"copy (select n, ST_GeomFromWKB(w) as geometry from source) to '{path}' "
                       f"(format parquet, compression {r.choice(['snappy', 'zstd'])})")
        return expect(path, shapes, KINDS[kind], 4326)
    crs, wkid = r.choice([(None, 4326), ("OGC:CRS84", 4326), ("EPSG:2056", 2056), ("srid:3857", 3857)])
    type_ = geometry_type(crs, r.choice([None, None, "spherical"]))
    array = pa.ExtensionArray.from_storage(type_, pa.array(wkb, pa.binary()))
    t = pa.table({"n": range(rows), "geometry": array})
    pq.write_table(t, path, compression=r.choice(["none", "snappy", "zstd"]), row_group_size=r.choice([30, 1000]),
                   use_dictionary=r.random() < 0.5, data_page_version=r.choice(["1.0", "2.0"]), store_schema=r.random() < 0.3)
    return expect(path, shapes, KINDS[kind], wkid)


def by_column(r, rows, path):
    """Files without metadata of geometries: well-known binary, or columns of coordinates."""
    shapes = [shape(r, "polygons", 2) for _ in range(rows)]
    if r.random() < 0.5:
        t = pa.table({"n": range(rows), r.choice(["geom", "geometry", "wkb"]): pa.array(
            [shapely.to_wkb(s, byte_order=r.choice([0, 1])) for s in shapes], pa.binary())})
        pq.write_table(t, path)
        return expect(path, t.column_names[1], "polygon", 4326)
    shapes = [shapely.Point(position(r, 2)) for _ in range(rows)]
    names = r.choice([("lon", "lat"), ("longitude", "latitude"), ("x", "y")])
    t = pa.table({names[0]: [s.x for s in shapes], names[1]: [s.y for s in shapes], "n": range(rows)})
    pq.write_table(t, path, compression="zstd")
    expected = expect(path)
    expected.update({"kind": "point", "wkid": 4326, "shapes": [parts(s) for s in shapes]})
    return expected


def nested_column(r, rows):
    """A column of lists, structures and maps, within each other."""
    def leaf():
        return r.choice([
            (pa.int32(), lambda: r.randint(-99, 99)), (pa.string(), lambda: r.choice(WORDS)), (pa.bool_(), lambda: r.random() < 0.5),
            (pa.float64(), lambda: r.choice([0.5, -12.25, 1e-7, float("nan")])), (pa.int64(), lambda: r.randint(-2**62, 2**62)),
            (pa.float32(), lambda: r.choice([0.5, 3.0])), (pa.date32(), lambda: dt.date(2000, 1, 1) + dt.timedelta(r.randrange(9999))),
            (pa.timestamp("us", "UTC"), lambda: dt.datetime(2000, 1, 1, tzinfo=dt.timezone.utc) + dt.timedelta(microseconds=r.randrange(10**15))),
            (pa.decimal128(9, 2), lambda: decimal.Decimal(r.randint(-99999, 99999)).scaleb(-2)), (pa.uint8(), lambda: r.randrange(256)),
        ])
    def tree(depth):
        form = r.choice(["leaf", "list", "struct", "map"]) if depth else r.choice(["list", "struct", "map"])
        if form == "leaf" or depth == 3:
            type_, make = leaf()
        elif form == "list":
            inner, value = tree(depth + 1)
            type_, make = pa.list_(inner), lambda: [value() for _ in range(r.choice([0, 1, 3]))]
        elif form == "struct":
            members = [(name, *tree(depth + 1)) for name in ["a", 'b "c"', "ü"][:r.randrange(1, 4)]]
            type_, make = pa.struct([(n, t) for n, t, _ in members]), lambda: {n: v() for n, _, v in members}
        else:
            key, (item, value) = r.choice([pa.string(), pa.int32()]), tree(depth + 1)
            type_ = pa.map_(key, item)
            make = lambda: [(str(i) if key == pa.string() else i, value()) for i in range(r.choice([0, 1, 2]))]
        return type_, lambda: None if r.random() < 0.15 else make()
    type_, make = tree(0)
    return pa.array([make() for _ in range(rows)], type_)


def by_nested(r, rows, path):
    """Lists, structures and maps by pyarrow, polars or DuckDB."""
    t = pa.table({f"c{i}": nested_column(r, rows) for i in range(r.randrange(2, 5))} | {"n": pa.array(range(rows), pa.int64())})
    writer = r.choice(["pyarrow", "pyarrow", "polars", "duckdb"])
    if writer == "polars" and not any("map" in str(x) for x in t.schema.types):
        pl.from_arrow(t).write_parquet(path, row_group_size=r.choice([None, 9]), data_page_size=r.choice([None, 60]))
    elif writer == "duckdb":
        connection = duckdb.connect()
        connection.register("source", t)
        connection.sql(f"copy source to '{path}' (format parquet, compression {r.choice(['snappy', 'zstd'])})")
    else:
        options = pyarrow_options(r, t)
        for name in ("column_encoding", "use_deprecated_int96_timestamps"):
            options.pop(name, None)
        options["use_dictionary"] = r.random() < 0.5
        pq.write_table(t, path, use_compliant_nested_type=r.random() < 0.7, **options)
    return expect(path)


def by_indexed(r, rows, path):
    """Indexes of pages and bloom filters."""
    t = table(r, rows)
    options = pyarrow_options(r, t) | {"write_page_index": True, "write_statistics": True}
    filtered = [f.name for f in t.schema if pa.types.is_integer(f.type) and f.type.bit_width >= 32 or pa.types.is_string(f.type)]
    if filtered:
        options["bloom_filter_options"] = {name: {"ndv": rows, "fpp": 0.05} for name in filtered}
    pq.write_table(t, path, **options)
    return expect(path)


WRITERS = [by_pyarrow, by_geopandas, by_duckdb, by_polars, by_pyarrow, by_native, by_geopandas, by_pyarrow, by_column,
           by_pyarrow]
cases = {}
for number in range(COUNT):
    r = random.Random(number)
    writer = WRITERS[number % len(WRITERS)] if number < 60 or number % 2 else [by_nested, by_indexed][number // 2 % 2]
    rows = r.choice([1, ROWS // 8, ROWS // 2, ROWS])
    name = f"{number:03}-{writer.__name__[3:]}.parquet"
    cases[name] = writer(r, rows, os.path.join(FOLDER, name))
versions = {m.__name__: m.__version__ for m in (pa, gpd, duckdb, pl, shapely)}
with open(os.path.join(FOLDER, "expected.json"), "w") as file:
    json.dump({"versions": versions, "cases": cases}, file, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    file.write("\n")

# Files whose row groups are near each other, with boxes: points and polygons, boxes of doubles and of floats.
def boxes(name, kind, single):
    r = random.Random(name)
    shapes = sorted((shape(r, kind, 2) for _ in range(8 * ROWS)), key=lambda s: (s.is_empty, 0 if s.is_empty else s.bounds[0]))
    shapes[5] = None
    frame = gpd.GeoDataFrame({"n": range(len(shapes))}, geometry=shapes, crs=4326)
    path = os.path.join(FOLDER, name)
    frame.to_parquet(path, schema_version="1.1.0", write_covering_bbox=True, row_group_size=ROWS, index=False, compression="zstd")
    if single:
        t = pq.read_table(path)
        field = t.schema.field("bbox")
        floats = pa.struct([(n, pa.float32()) for n in ("xmin", "ymin", "xmax", "ymax")])
        t = t.set_column(t.schema.get_field_index("bbox"), pa.field("bbox", floats), t.column("bbox").cast(floats))
        pq.write_table(t, path, row_group_size=ROWS, compression="zstd")


for kind in ("point", "polygon"):
    for single in (False, True):
        boxes(f"boxes-{kind}-{'float' if single else 'double'}.parquet", kind, single)
t = pq.read_table(os.path.join(FOLDER, "boxes-polygon-double.parquet"))
wrong = pa.array([None if b is None else b | {"ymax": b["ymin"]} for b in t.column("bbox").to_pylist()], t.schema.field("bbox").type)
pq.write_table(t.set_column(t.schema.get_field_index("bbox"), t.schema.field("bbox"), wrong),
               os.path.join(FOLDER, "wrong-boxes.parquet"), row_group_size=ROWS, compression="zstd")

# Indexes of pages, bloom filters, boxes and nested values: 2 row groups of 8 pages each, in the order of n and of the least x.
r = random.Random("pages")
shapes = sorted((shape(r, "polygon", 2) for _ in range(16 * ROWS)), key=lambda s: (s.is_empty, 0 if s.is_empty else s.bounds[0]))
shapes[5] = None
frame = gpd.GeoDataFrame({"n": [2 * i for i in range(len(shapes))]}, geometry=shapes, crs=4326)
path = os.path.join(FOLDER, "pages.parquet")
frame.to_parquet(path, schema_version="1.1.0", write_covering_bbox=True, index=False)
t = pq.read_table(path)
t = t.append_column("s", pa.array([None if i % 7 == 3 else f"text {i * 37 % 384}" for i in range(len(t))]))
t = t.append_column("tags", pa.array([[str(i)] * (i % 4) if i % 5 else None for i in range(len(t))], pa.list_(pa.string())))
pq.write_table(t, path, row_group_size=8 * ROWS, data_page_size=1, write_batch_size=ROWS, write_page_index=True, use_dictionary=["s"],
               bloom_filter_options={"s": {"ndv": 8 * ROWS, "fpp": 0.001}, "n": {"ndv": 8 * ROWS, "fpp": 0.001}},
               compression="zstd")

# Types of Arrow that Parquet stores as whole numbers.
month = pa.array(pd.array(["2024-01", "2024-02"], dtype="period[M]"))
t = pa.table({"n": pa.array([1, 2]), "lasted": pa.array([3_600_000_000, None], pa.duration("us")), "month": month})
pq.write_table(t, os.path.join(FOLDER, "stored-as-numbers.parquet"))

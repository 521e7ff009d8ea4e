"""Feature collections in Esri's protocol buffers (package esriPBuffer), written by hand.

A field is its number and wire type, then its value: 0 a varint, 1 eight bytes, 2 bytes with their length, 5 four bytes.
"""

import struct

FIELD_TYPES = [
    "SmallInteger", "Integer", "Single", "Double", "String", "Date", "OID", "Geometry", "Blob", "Raster", "GUID",
    "GlobalID", "XML", "BigInteger", "DateOnly", "TimeOnly", "TimestampOffset",
]
GEOMETRY_TYPES = ["Point", "Multipoint", "Polyline", "Polygon"]


def varint(number):
    number &= 2**64 - 1
    result = bytearray()
    while number > 127:
        result.append(number & 127 | 128)
        number >>= 7
    result.append(number)
    return bytes(result)


def zigzag(number):
    return varint(number << 1 ^ number >> 63)


def whole(field, number):
    return varint(field << 3) + varint(number)


def double(field, number):
    return varint(field << 3 | 1) + struct.pack("<d", number)


def chunk(field, content):
    content = content.encode() if isinstance(content, str) else content
    return varint(field << 3 | 2) + varint(len(content)) + content


def value(kind, content):
    if content is None:
        return whole(10, 1)
    if isinstance(content, str):
        return chunk(1, content)
    if kind == "Single":
        return varint(2 << 3 | 5) + struct.pack("<f", content)
    if kind == "Double":
        return double(3, content)
    if kind in ("SmallInteger", "Integer"):
        return varint(4 << 3) + zigzag(content)
    if kind == "OID":
        return whole(7, content)
    return varint(8 << 3) + zigzag(content)


def transform(wkid, coarse):
    """Scale and translation at the resolution of storage, as hosted services have them."""
    if wkid == 3857:
        return (1.0 if coarse else 0.0001), -20037700.0, -30241100.0
    return (0.001 if coarse else 1e-9), -400.0, -400.0


def geometry(kind, parts, form):
    scale, left, bottom = form
    coordinates, lengths = bytearray(), bytearray()
    for part in parts:
        x = y = 0
        if kind != "Point":
            lengths += varint(len(part))
        for place in part:
            # The origin is at the upper left, so that y runs down.
            column, row = round((place[0] - left) / scale), -round((place[1] - bottom) / scale)
            coordinates += zigzag(column - x) + zigzag(row - y)
            x, y = column, row
    if kind == "Multipoint":
        lengths = varint(sum(len(part) for part in parts))
    return (chunk(2, bytes(lengths)) if lengths else b"") + chunk(3, bytes(coordinates))


def features(fields, rows, id_field, kind=None, wkid=None, exceeded=False, coarse=False):
    """Fields as (name, type), rows as (values, parts or None)."""
    result = chunk(1, id_field)
    if kind:
        result += whole(7, GEOMETRY_TYPES.index(kind)) if kind != "Point" else b""
        number = 102100 if wkid == 3857 else wkid
        result += chunk(8, whole(1, number) + whole(2, wkid))
        form = transform(wkid, coarse)
        scale = double(1, form[0]) + double(2, form[0])
        result += chunk(12, chunk(2, scale) + chunk(3, double(1, form[1]) + double(2, form[2])))
    else:
        result += whole(7, 127)
    if exceeded:
        result += whole(9, 1)
    for name, field_type in fields:
        result += chunk(13, chunk(1, name) + whole(2, FIELD_TYPES.index(field_type)) + chunk(3, name))
    for values, parts in rows:
        feature = b"".join(chunk(1, value(field_type, content)) for (_, field_type), content in zip(fields, values))
        if kind and parts:
            feature += chunk(2, geometry(kind, parts, form))
        result += chunk(15, feature)
    return chunk(1, "") + chunk(2, chunk(1, result))


def count(number):
    return chunk(2, chunk(2, whole(1, number)))


def ids(field, numbers):
    return chunk(2, chunk(3, chunk(1, field) + chunk(3, b"".join(varint(number) for number in numbers))))

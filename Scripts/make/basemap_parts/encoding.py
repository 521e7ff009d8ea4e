"""Encodes a level in the format that Scripts/make/basemap describes."""
import struct

LAYERS = {"land": (1, 2), "lakes": (2, 2), "borders": (3, 1), "states": (4, 1), "rivers": (5, 1)}


def varint(out, value):
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)


def layer_bytes(name, rows):
    """Returns (table entry, data) for rows of (class, parts)."""
    out, x, y, part_count, vertex_count = bytearray(), 0, 0, 0, 0
    for kind, parts in rows:
        varint(out, kind)
        varint(out, len(parts))
        part_count += len(parts)
        for part in parts:
            varint(out, len(part))
            vertex_count += len(part)
            for px, py in part:
                for step in (px - x, py - y):
                    varint(out, step * 2 if step >= 0 else -step * 2 - 1)
                x, y = px, py
    number, geometry = LAYERS[name]
    entry = struct.pack("<BBHIIII", number, geometry, 0, len(rows), part_count, vertex_count, len(out))
    print(f"  {name:8} {len(rows):6,} rows {vertex_count:8,} vertices {len(out):9,} bytes")
    return entry, bytes(out)


def level_bytes(steps, window, layers):
    """Returns the file of a level.

    `window` holds the east and south edges at which areas are cut; `layers` is a list of (name, rows).
    """
    coded = [layer_bytes(name, rows) for name, rows in layers]
    header = struct.pack("<4sHHIII", b"NEBM", 3, len(coded), steps, *window)
    return header + b"".join(e for e, _ in coded) + b"".join(d for _, d in coded)

"""Functions that write PMTiles archives, version 3."""

import gzip
import json
import struct


def varint(value):
    out = bytearray()
    while value >= 128:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes(out) + bytes([value])


def number(zoom, x, y):
    """Returns the number of a tile: the levels in order, each along a Hilbert curve."""
    number, half = ((1 << 2 * zoom) - 1) // 3, (1 << zoom) // 2
    while half:
        right, down = int(x & half > 0), int(y & half > 0)
        number += half * half * (3 * right ^ down)
        x, y = x & half - 1, y & half - 1
        if not down:
            if right:
                x, y = half - 1 - x, half - 1 - y
            x, y = y, x
        half //= 2
    return number


def directory(*entries):
    """Returns the directory of entries, which are number, run, length and offset, in order of their numbers."""
    out, last = varint(len(entries)), 0
    for entry in entries:
        out += varint(entry[0] - last)
        last = entry[0]
    for column in (1, 2):
        out += b"".join(varint(entry[column]) for entry in entries)
    return out + b"".join(varint(entry[3] + 1) for entry in entries)


WORLD = (-1800000000, -850000000, 1800000000, 850000000)


def archive(root, metadata, leaves, tiles, *, count, packing, kind, zooms, sides=WORLD, zoom=0):
    """Returns the archive of four parts.

    packing has the compressions of directories and of tiles, 1 for none and 2 for gzip; kind is the type of tiles, 1 for
    vector tiles and 2 for PNG. sides are in units of 1e-7 degrees; zoom is that of the centre.
    """
    places, place = [], 127
    for part in (root, metadata, leaves, tiles):
        places += [place, len(part)]
        place += len(part)
    head = b"PMTiles\x03" + struct.pack("<11Q", *places, count, count, count) + bytes([1, *packing, kind, *zooms]) \
        + struct.pack("<4i", *sides) + bytes([zoom]) \
        + struct.pack("<2i", (sides[0] + sides[2]) // 2, (sides[1] + sides[3]) // 2)
    assert len(head) == 127
    return head + root + metadata + leaves + tiles


def vector_archive(tiles, description, **more):
    """Returns the archive of gzipped vector tiles by zoom, column and row."""
    order, entries, offset = sorted(tiles, key=lambda place: number(*place)), [], 0
    for place in order:
        entries.append((number(*place), 1, len(tiles[place]), offset))
        offset += len(tiles[place])
    root, metadata = gzip.compress(directory(*entries), mtime=0), gzip.compress(json.dumps(description).encode(), mtime=0)
    zooms = [place[0] for place in tiles]
    return archive(root, metadata, b"", b"".join(tiles[place] for place in order), count=len(entries), packing=(2, 2),
                   kind=1, zooms=(min(zooms), max(zooms)), **more)

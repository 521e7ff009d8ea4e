#!/usr/bin/env python3
"""Writes archives.tsv: data compressed by zlib and gzip of Python, for the tests of our own decoder.

A line is a name, `deflate` or `gzip`, the compressed bytes in base64, and the size and CRC-32 of the decoded bytes.
"""
import base64
import gzip
import io
import pathlib
import random
import zlib

random.seed(23)
WORDS = "Oslo Bergen Stavanger Drammen Fredrikstad Porsgrunn Kristiansand Tromsø".split()
CONTENTS = {
    "empty": b"",
    "one byte": b"x",
    "zeros": bytes(200_000),
    "random": random.randbytes(3000),
    "words": " ".join(random.choice(WORDS) for _ in range(5000)).encode(),
    "farthest": (block := random.randbytes(32_768 - 5)) + b"12345" + block,
    "skewed": bytes(min(255, int(random.expovariate(0.06))) for _ in range(9000)),
    "rows": "".join(f"{i},{random.random() * 180:.6f},name {i % 97}\n" for i in range(900)).encode(),
}
STRATEGIES = {
    "default": zlib.Z_DEFAULT_STRATEGY, "filtered": zlib.Z_FILTERED, "huffman": zlib.Z_HUFFMAN_ONLY, "rle": zlib.Z_RLE,
    "fixed": zlib.Z_FIXED,
}
lines = []


def add(name, kind, packed, plain):
    lines.append(f"{name}\t{kind}\t{base64.b64encode(packed).decode()}\t{len(plain)}\t{zlib.crc32(plain):08x}")


for name, plain in CONTENTS.items():
    variants = [(level, "default") for level in (0, 1, 6, 9)] + [(6, strategy) for strategy in STRATEGIES]
    for level, strategy in dict.fromkeys(variants):
        if len(plain) > 20_000 and level == 0 or name == "farthest" and (level, strategy) != (9, "default"):
            continue
        packer = zlib.compressobj(level, zlib.DEFLATED, -15, 9, STRATEGIES[strategy])
        add(f"{name}, level {level}, {strategy}", "deflate", packer.compress(plain) + packer.flush(), plain)
words = CONTENTS["words"]
packer = zlib.compressobj(6, zlib.DEFLATED, -15)
pieces = [packer.compress(words[i:i + 9000]) + packer.flush(zlib.Z_SYNC_FLUSH) for i in range(0, len(words), 9000)]
add("words, flushed", "deflate", b"".join(pieces) + packer.flush(), words)
add("two members", "gzip", gzip.compress(words[:5000]) + gzip.compress(words[5000:9000]), words[:9000])
add("an empty member first", "gzip", gzip.compress(b"") + gzip.compress(b"after"), b"after")
add("zeros at the end", "gzip", gzip.compress(b"before") + bytes(512), b"before")
named = io.BytesIO()
with gzip.GzipFile("cities.csv", "wb", fileobj=named, mtime=0) as file:
    file.write(b"with a name")
add("a name", "gzip", named.getvalue(), b"with a name")
body = zlib.compressobj(9, zlib.DEFLATED, -15)
packed = body.compress(b"all fields") + body.flush()
header = bytes([0x1F, 0x8B, 8, 0x1F, 0, 0, 0, 0, 0, 3, 3, 0]) + b"abc" + b"name\0" + b"comment\0" + b"\1\2"
trailer = zlib.crc32(b"all fields").to_bytes(4, "little") + (10).to_bytes(4, "little")
add("all header fields", "gzip", header + packed + trailer, b"all fields")
pathlib.Path(__file__).with_name("archives.tsv").write_text("\n".join(lines) + "\n")
print(len(lines), "cases")

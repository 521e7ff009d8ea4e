#!/usr/bin/env python3
"""Makes documents.tsv and decimals.tsv beside it: what Python's json and float say of the same bytes.

documents.tsv: y or n, the document in hexadecimal, and for y the document written again: compact, order kept, numbers
as they stood. Python is wider than RFC 8259 in a few places, which are narrowed here: NaN and Infinity, halves of
surrogate pairs, bytes that are not UTF-8, and names that occur twice, which are an error with us.
decimals.tsv: a decimal number, and the double it stands for in hexadecimal. Seeded: the same files on every run.
"""
import json
import random
import re
import struct
import sys
from pathlib import Path

here = Path(__file__).parent
rng = random.Random(20241121)
sys.setrecursionlimit(10_000)


class Number(str):
    """A number as written."""


def refuse(text):
    raise ValueError(text)


def members(pairs):
    if len({name for name, _ in pairs}) != len(pairs):
        raise ValueError("a name twice")
    return dict(pairs)


def written(value):
    if isinstance(value, Number):
        return str(value)
    if isinstance(value, dict):
        return "{" + ",".join(written(str(k)) + ":" + written(v) for k, v in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(written, value)) + "]"
    text = json.dumps(value, ensure_ascii=False)
    # MapState also escapes the characters that control a terminal or the direction of text.
    return re.sub(
        "[\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]",
        lambda found: "\\u007f" if found[0] == "\x7f" else json.dumps(found[0])[1:-1], text)


def outcome(data):
    if data.startswith(b"\xef\xbb\xbf"):
        data = data[3:]
    try:
        value = json.loads(
            data.decode("utf-8"), parse_int=Number, parse_float=Number, parse_constant=refuse, object_pairs_hook=members)
        return "y", written(value).encode("utf-8")
    except (ValueError, RecursionError):
        return "n", b""


# One document for every rule of the grammar and a neighbour that breaks it.
documents = [
    s.encode("utf-8") for s in r"""
[]|[ ]|{}|[1]|[1,]|[,1]|[1,,2]|[1 2]|[|]|{|}|[1}|{"a":1]|[[]|[]]|{"a":1,}|{,"a":1}|{"a"}|{"a":}|{:1}|{a:1}|{'a':1}
{"a" 1}|{"a":1 "b":2}|{"a":1,"a":2}|{"a":1,"A":2}|{"a":{"a":1}}|{"":0}|{"a":[{}]}|{1:1}|{null:1}|{"a"::1}
0|-0|-|+1|01|-01|00|1.|.1|1.0|-1.5|1e5|1E5|1e+5|1e-5|1e|1e+|1.e5|1.5e5|0e0|0x1|1_0|1e1.5|--1|- 1|1 |0.0|123456789012345678901234567890
1e400|-1e400|1e-400|NaN|Infinity|-Infinity|nan|inf|true|false|null|True|TRUE|tru|truee|nul|nulll|fals|undefined|0.1e1|1.0.0|1e0xf
""|"a"|"|"a|a"|'a'|"\n"|"\q"|"\u0041"|"\u00e9"|"\u00E9"|"\u004"|"\u004g"|"\U0041"|"\ud83d\ude00"|"\ud83d"|"\ude00"|"\ud83d\u0041"
"\ud83dx"|"\ud83d\ud83d"|"\ude00\ud83d"|"\/"|"/"|"\b\f\n\r\t\"\\"|"\a"|"\'"|"\x41"|"\0"|"\"|"\\"|"\\\"|"\u0000"|"\u001f"|"\uffff"|"\uFDD0"
"é"|"日本"|"😀"|"\u2028"| |[1]x|[1] [2]|1 2|"a" "b"|{}{}|[1]//c|/*c*/1|#1|[1]#|;|[true,false,null]|[nulltrue]|[ 1 , 2 ]|{ "a" : 1 }
["a",1,{"b":[null]}]|[[[[[[[[]]]]]]]]|{"a":{"b":{"c":{}}}}|[""]|["","]|{"a":"b"|[{]|[}]|["a":1]|{"a",1}|<a/>|a,b
""".strip("\n").replace("\n", "|").split("|")
]
documents += [
    b"", b"\n", b"\xef\xbb\xbf", b"\xef\xbb\xbf[]", b"\xef\xbb[]", b"\xfe\xff\x00[\x00]", b"[\x00]", b"[]\x00", b"\t[\r\n1 ]\n",
    b"\x0b[]", b"\x0c[]", b"\xc2\xa0[]", b"[\xe2\x80\xa81]", b'"\x00"', b'"\x1f"', b'"\x7f"', b'"a\tb"', b'"a\nb"',
    # UTF-8: short, overlong, surrogate, too high, not a start, cut
    b'"\x80"', b'"\xbf"', b'"\xc0\x80"', b'"\xc1\xbf"', b'"\xc2\x80"', b'"\xc2"', b'"\xc2\xc2"', b'"\xdf\xbf"', b'"\xe0\x80\x80"',
    b'"\xe0\x9f\xbf"', b'"\xe0\xa0\x80"', b'"\xed\x9f\xbf"', b'"\xed\xa0\x80"', b'"\xed\xbf\xbf"', b'"\xee\x80\x80"', b'"\xef\xbf\xbf"',
    b'"\xe1\x80"', b'"\xe1\x80\xc0"', b'"\xf0\x80\x80\x80"', b'"\xf0\x8f\xbf\xbf"', b'"\xf0\x90\x80\x80"', b'"\xf4\x8f\xbf\xbf"',
    b'"\xf4\x90\x80\x80"', b'"\xf5\x80\x80\x80"', b'"\xff"', b'"\xfe"', b'"\xf1\x80\x80"', b'"\xf1\x80\x80\xc0"', b'"\xf8\x88\x80\x80\x80"',
    b'["\xe9"]', b'{"\xe9":1}', b"[\xe9]", b"\xe9",
    b"[" * 512 + b"]" * 512, b"[" * 511 + b"{}" + b"]" * 511,
]

seeds = [
    b'{"type":"Feature","geometry":{"type":"Point","coordinates":[-1.5e+2, 0.25]},"properties":{"n":null,"t":true}}',
    b'[ {"a" : "x\\ny\\u00e9\\ud83d\\ude00" } , [ 1, -2.50 , 3E7 ] , "\xc3\xa9\xf0\x9f\x98\x80", false ]',
    b'{"layers":[{"id":"1","opacity":0.80,"visible":true,"symbol":{"color":[255,0,0,255],"size":6}},{}],"v":"2.31"}',
]
pieces = [b"{", b"}", b"[", b"]", b",", b":", b'"', b"\\", b"0", b"-", b".", b"e", b"null", b" ", b"\n", b"\xc3", b"\x80", b"\\u", b"1", b"+"]
while len(documents) < 900:
    data = bytearray(rng.choice(seeds))
    for _ in range(rng.choice([1, 1, 2])):
        place = rng.randrange(len(data))
        change = rng.randrange(4)
        if change == 0:
            del data[place:place + rng.randrange(1, 4)]
        elif change == 1:
            data[place:place] = rng.choice(pieces)
        elif change == 2:
            data[place:place + 1] = rng.choice(pieces)
        else:
            other = rng.randrange(len(data))
            data[place], data[other] = data[other], data[place]
        if not data:
            break
    documents.append(bytes(data))

with open(here / "documents.tsv", "w") as file:
    file.write("# made by make_cases.py: accepted, document, document written again\n")
    for data in documents:
        answer, text = outcome(data)
        file.write(f"{answer}\t{data.hex()}\t{text.hex()}\n")

decimals = ["0", "-0", "-0.0", "9007199254740993", "9007199254740992.5", "9007199254740991.5", "18446744073709551615",
            "18446744073709551616", "1e23", "8.5e22", "1e22", "2.2250738585072011e-308", "2.2250738585072014e-308", "4.9e-324",
            "2.4703282292062327e-324", "2.4703282292062328e-324", "1.7976931348623157e308", "1.7976931348623158e308",
            "1.7976931348623159e308", "0.1", "0.3", "123456789012345678901234567890", "1e-19", "1e19", "9999999999999999999e-19",
            "0.000000000000000000000000000001", "100000000000000000000000000000000", "1e-400", "0e999999999999", "0.500000000000000166533453693773481063544750213623046875"]
while len(decimals) < 1500:
    kind = rng.randrange(5)
    if kind == 0:
        decimals.append(repr(rng.uniform(-180, 180)))
    elif kind == 1:
        decimals.append(f"{rng.uniform(-2e7, 2e7):.{rng.randrange(0, 18)}f}")
    elif kind == 2:
        decimals.append(repr(struct.unpack(">d", rng.randbytes(8))[0]))
    elif kind == 3:
        digits = str(rng.randrange(1, 10 ** rng.randrange(1, 24)))
        decimals.append(f"{digits}e{rng.randrange(-30, 30)}")
    else:
        # Halfway between two doubles, or one digit beside: the hardest to round.
        high = rng.randrange(2 ** 52, 2 ** 53)
        half = (2 * high + 1) * 2 ** rng.randrange(0, 10)
        decimals.append(f"{half + rng.choice([-1, 0, 0, 1])}" if rng.random() < 0.5 else f"{high * 5 + 2}.5e-{rng.randrange(0, 4)}")

with open(here / "decimals.tsv", "w") as file:
    file.write("# made by make_cases.py: decimal number, double in hexadecimal\n")
    for text in decimals:
        if "n" not in text:
            file.write(f"{text}\t{float(text).hex()}\n")

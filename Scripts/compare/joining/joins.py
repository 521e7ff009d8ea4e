"""Generated pairs of tables, joined by pandas and by mapstate."""

import csv
import io
import json
import os
import random
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import pandas

PAIRS = 200
KEPT = 60

#: Kinds of keys of the layer and of the table, and makers of a key from a number.
KINDS = {
    "numbers": (lambda r, n: n, lambda r, n: n),
    "decimals": (lambda r, n: n, lambda r, n: n + r.choice([0.0, 0.0, 0.5])),
    "codes": (lambda r, n: f"{n:03}", lambda r, n: f"{n:03}"),
    "lost zeros": (lambda r, n: f"{n:03}", lambda r, n: n),
    "texts": (
        lambda r, n: r.choice(["{}", "{} ", "ä{}", "A{}"]).format(chr(97 + n)),
        lambda r, n: r.choice(["{}", "ä{}", "a{}", "a\u0308{}"]).format(chr(97 + n)),
    ),
    "dates": (lambda r, n: f"2024-01-{n + 1:02}", lambda r, n: f"2024-01-{n + 1:02}"),
    "truths": (lambda r, n: n % 2 == 0, lambda r, n: n % 2 == 0),
    "numbers and texts": (lambda r, n: n, lambda r, n: r.choice([str(n), f"k{n}"])),
}
#: A key that fixes the type which a reader of CSV finds: decimal numbers, or text.
ANCHORS = {
    "numbers": (99, 98),
    "decimals": (99, 97.5),
    "codes": ("099", "098"),
    "lost zeros": ("099", 98),
    "texts": ("zz", "yy"),
    "dates": ("2024-02-01", "2024-02-02"),
    "truths": (True, False),
    "numbers and texts": (99, "k98"),
}


def pair(number):
    """Returns a layer, a table and their join."""
    r = random.Random(f"joins {number}")
    kind = r.choice(list(KINDS))
    key, field = r.choice([("code", "code"), ("GEOID", "code"), ("code", "FIPS")])
    is_truth = kind == "truths"
    count, span = r.randint(0, 10), r.choice([2] if is_truth else [4, 12, 20])

    def keys(side, count, repeats):
        numbers = [r.randrange(span) for _ in range(count)] if repeats else r.sample(range(span), min(count, span))
        found = [None if r.random() < 0.1 else KINDS[kind][side](r, n) for n in numbers]
        if is_truth and not repeats:
            found.remove(False) if False in found else None
        return found + [ANCHORS[kind][side]]

    has_repeats = r.random() < 0.3
    layer = {field: keys(0, count, True)}
    layer["name"] = [r.choice(["x", "y", None]) for _ in layer[field]][:-1] + ["x"]
    table = {key: keys(1, r.randint(1, 12), has_repeats)}
    rows = len(table[key])
    table["pop"] = [r.choice([None, r.randrange(100)]) for _ in range(rows - 1)] + [7]
    if r.random() < 0.5:
        table["name"] = [r.choice(["u", "v w", "ü", None]) for _ in range(rows - 1)] + ["u"]
    if r.random() < 0.5:
        table["rate"] = [r.choice([None, r.randrange(100) / 4]) for _ in range(rows - 1)] + [0.25]
    return layer, table, key, field, r.random() < 0.4, kind


def compared(value, as_text):
    """Returns a key as mapstate compares it: numbers as numbers, and keys of different types as text."""
    if value is None or not as_text:
        return value
    return str(int(value)) if isinstance(value, float) and value == int(value) else str(value)


def answer(layer, table, key, field, takes_first):
    """Returns the columns, the rows and the numbers of rows without a partner; None for duplicate keys."""
    types = [type(next(v for v in reversed(side) if v is not None)) for side in (layer[field], table[key])]
    are_numbers = all(t in (int, float) for t in types)
    as_text = types[0] is not types[1] and not are_numbers
    left, right = pandas.DataFrame(layer, dtype=object), pandas.DataFrame(table, dtype=object)
    left["_key"] = pandas.Series([compared(v, as_text) for v in layer[field]], dtype=object)
    right["_key"] = pandas.Series([compared(v, as_text) for v in table[key]], dtype=object)
    # pandas matches missing keys with missing keys.
    partners = right[right["_key"].notna()]
    if partners["_key"].duplicated().any():
        if not takes_first:
            return None
        partners = partners.drop_duplicates("_key", keep="first")
    names = {name: f"table_{name}" if name in layer else name for name in table}
    if key == field:
        del names[key]
    added = partners[list(names)].rename(columns=names)
    added["_key"] = partners["_key"]
    left["_row"] = range(len(left))
    merged = left.merge(added, on="_key", how="left", validate="many_to_one").sort_values("_row")
    columns = list(layer) + list(names.values())
    rows = [[None if pandas.isna(v) else v for v in row] for row in merged[columns].values.tolist()]
    unmatched = [
        int((~left["_key"].isin(list(partners["_key"])) | left["_key"].isna()).sum()),
        int((~right["_key"].isin([k for k in left["_key"] if k is not None]) | right["_key"].isna()).sum()),
    ]
    return columns, rows, unmatched


def text_of(columns):
    """Returns columns as CSV; a missing value is an empty field."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(columns)
    for row in zip(*columns.values()):
        writer.writerow(["" if v is None else str(v).lower() if isinstance(v, bool) else v for v in row])
    return out.getvalue()


def record(number):
    layer, table, key, field, takes_first, kind = pair(number)
    found = answer(layer, table, key, field, takes_first)
    record = {"kind": kind, "layer": text_of(layer), "table": text_of(table), "key": key, "field": field}
    record["first"] = takes_first
    if found is not None:
        record["columns"], record["rows"], record["unmatched"] = found
    return record


def unmatched_of(note):
    counts = []
    for part in note.split("; ")[:2]:
        some = re.search(r"(\d+) of \d+ rows of", part)
        # Of a single row, the note names no number.
        counts.append(int(some[1]) if some else 1 if "the row of" in part and "no partner" in part else 0)
    return counts


def check(record, folder):
    """Returns the difference between the answers of mapstate and pandas; None for none."""
    (folder / "layer.csv").write_text(record["layer"])
    (folder / "table.csv").write_text(record["table"])
    join = f"table.csv:{record['key']}={record['field']}"
    words = [os.environ["MAPSTATE"], "query", "layer.csv", "--join", join, "--format", "ndjson", "--no-geometry"]
    run = subprocess.run(words + (["--join-first"] if record["first"] else []), cwd=folder, text=True, capture_output=True)
    if "rows" not in record:
        return None if run.returncode == 2 and "in several rows" in run.stderr else f"duplicates: {run}"
    if run.returncode != 0:
        return str(run)
    rows = [json.loads(line)["properties"] for line in run.stdout.splitlines()]
    if any(list(row) != record["columns"] for row in rows):
        return f"columns {list(rows[0])} instead of {record['columns']}"
    if [list(row.values()) for row in rows] != record["rows"]:
        return f"rows {[list(row.values()) for row in rows]} instead of {record['rows']}"
    note = next(line for line in run.stderr.splitlines() if line.startswith("note: join"))
    return None if unmatched_of(note) == record["unmatched"] else f"{note} instead of {record['unmatched']}"


def main():
    records = [record(number) for number in range(PAIRS)]
    if sys.argv[1:2] == ["--write"]:
        lines = [json.dumps(record, ensure_ascii=False) + "\n" for record in records[:KEPT]]
        Path(sys.argv[2]).write_text("".join(lines))
        return print(f"{len(lines)} pairs written; pandas {pandas.__version__}")
    faults = 0
    with tempfile.TemporaryDirectory() as folder:
        for number, item in enumerate(records):
            fault = check(item, Path(folder))
            if fault:
                faults += 1
                print(f"pair {number} ({item['kind']}): {fault}")
    refused = sum("rows" not in item for item in records)
    print(f"{len(records)} pairs, {refused} of them with duplicate keys: {faults} differences; pandas {pandas.__version__}")
    sys.exit(1 if faults else 0)


main()

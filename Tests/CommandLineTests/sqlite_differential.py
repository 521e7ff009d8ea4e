"""Statistics and ordered queries of the tool against SQLite, over one pipe.

Usage: sqlite_differential.py TOOL DATA.geojson COUNT
Asks COUNT generated questions of a session of `mapstate run -` and of SQLite over the same features, and prints how many
were asked, how many were over groups, and how many selected some but not all rows. Exits with 1 at a difference.
Rules that differ are kept out: SQLite's LIKE ignores case, its text sorts by bytes as ours does, its AVG sums doubles
without compensation, and null sorts first.
"""

import json
import math
import random
import sqlite3
import subprocess
import sys


def main(tool, path, count):
    features = json.load(open(path))["features"]
    names = list(features[0]["properties"])
    numbers = [n for n in names if any(isinstance(f["properties"][n], (int, float)) for f in features)]
    texts = [n for n in names if n not in numbers]
    database = sqlite3.connect(":memory:")
    database.execute("create table t (%s)" % ", ".join(f'"{n}"' for n in ["ROW"] + names))
    database.executemany(
        "insert into t values (%s)" % ", ".join("?" * (len(names) + 1)),
        [[i + 1] + [f["properties"][n] for n in names] for i, f in enumerate(features)])
    values = {n: [f["properties"][n] for f in features if f["properties"][n] is not None] for n in names}

    session = subprocess.Popen([tool, "run", "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(step):
        session.stdin.write(json.dumps(step) + "\n")
        session.stdin.flush()
        return json.loads(session.stdout.readline())

    assert ask({"step": "open", "source": path})["ok"]
    rng = random.Random(20261121)

    def literal(value):
        return "'" + value.replace("'", "''") + "'" if isinstance(value, str) else repr(value)

    def condition(depth=0):
        kind = rng.randrange(8 if depth < 2 else 5)
        name = rng.choice(names)
        some = lambda: literal(rng.choice(values[name]))
        if kind == 0:
            return f"{name} {rng.choice(['=', '<>', '<', '>', '<=', '>='])} {some()}"
        if kind == 1:
            return f"{name} {rng.choice(['', 'NOT '])}IN ({', '.join(some() for _ in range(rng.randrange(1, 9)))})"
        if kind == 2:
            low, high = sorted([rng.choice(values[name]), rng.choice(values[name])])
            return f"{name} {rng.choice(['', 'NOT '])}BETWEEN {literal(low)} AND {literal(high)}"
        if kind == 3:
            return f"{name} IS {rng.choice(['', 'NOT '])}NULL"
        if kind == 4:
            number = rng.choice(numbers)
            return f"{number} {rng.choice(['+', '-', '*'])} {rng.randrange(1, 5)} > {literal(rng.choice(values[number]))}"
        if kind == 5:
            return f"NOT ({condition(depth + 1)})"
        return f"({condition(depth + 1)} {rng.choice(['AND', 'OR'])} {condition(depth + 1)})"

    types = {
        "average": "avg({0})", "count": "count({0})", "maximum": "max({0})", "minimum": "min({0})", "sum": "sum({0})",
        # From exact sums of the exact values, below.
        "variance": None, "standardDeviation": None,
    }

    def variance(rows):
        rows = [r for r in rows if r is not None]
        if len(rows) < 2:
            return None
        mean = math.fsum(rows) / len(rows)
        return math.fsum((r - mean) ** 2 for r in rows) / (len(rows) - 1)

    def close(a, b):
        if a is None or b is None or isinstance(a, str):
            return a == b
        return a == b or abs(a - b) <= 1e-12 * max(abs(a), abs(b))

    grouped = partial = ordered = 0
    for number in range(count):
        where = condition()
        total = database.execute(f"select count(*) from t where {where}").fetchone()[0]
        partial += 0 < total < len(features)
        if number % 4 == 3:
            # Ordered pages of ids; what is equal stays in the order of the table.
            fields = rng.sample(names, rng.randrange(1, 3))
            ways = [rng.choice(["asc", "desc"]) for _ in fields]
            offset, most = rng.choice([0, 3, 50]), rng.choice([0, 1, 20])
            order = ", ".join(
                f"{f} {w} nulls last" for f, w in zip(fields, ways))
            expected = [r[0] for r in database.execute(
                f"select ROW from t where {where} order by {order}, ROW limit {most or -1} offset {offset}")]
            found = ask({
                "step": "query", "everywhere": True, "where": where, "idsOnly": True, "offset": offset,
                "maxFeatures": most, "orderBy": [f"{f}:{w}" for f, w in zip(fields, ways)]})
            ordered += 1
            if found.get("ids") != expected:
                sys.exit(f"{where} order by {order}: {expected[:9]} and {str(found)[:200]}")
            continue
        groups = rng.sample(texts, rng.randrange(0, 3)) if number % 2 else []
        wanted = [
            (t, rng.choice(numbers if t not in ("count", "maximum", "minimum") else names))
            for t in rng.sample(list(types), rng.randrange(1, 5))]
        wanted = list(dict.fromkeys(wanted))
        found = ask({
            "step": "statistics", "everywhere": True, "where": where, "groupBy": groups,
            "statistics": [f"{t}:{f}:S{i}" for i, (t, f) in enumerate(wanted)]})
        if not found["ok"]:
            sys.exit(f"{where}: {found}")
        columns = [types[t].format(f) if types[t] else "count(*)" for t, f in wanted]
        sql = f"select {', '.join(groups + columns)} from t where {where}"
        if groups:
            sql += f" group by {', '.join(groups)} order by " + ", ".join(f"{g} nulls last" for g in groups)
            grouped += 1
        rows = database.execute(sql).fetchall()
        members = {}
        if any(types[t] is None for t, f in wanted):
            columns = ", ".join(groups + [f for t, f in wanted])
            for row in database.execute(f"select {columns} from t where {where}"):
                members.setdefault(row[:len(groups)], []).append(row[len(groups):])
        if len(rows) != len(found["records"]):
            sys.exit(f"{sql}: {len(rows)} groups and {len(found['records'])}")
        for row, record in zip(rows, found["records"]):
            key = dict((g, v) for g, v in zip(groups, row) if v is not None)
            if record["group"] != key:
                sys.exit(f"{sql}: group {key} and {record['group']}")
            for index, (t, f) in enumerate(wanted):
                value = row[len(groups) + index]
                if types[t] is None:
                    value = variance([r[index] for r in members.get(row[:len(groups)], [])])
                    if value is not None and t == "standardDeviation":
                        value = math.sqrt(value)
                if not close(value, record["statistics"].get(f"S{index}")):
                    sys.exit(f"{sql}: {t} of {f} is {value} and {record['statistics'].get(f'S{index}')}")
    session.stdin.close()
    session.wait()
    print(count, grouped, ordered, partial)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))

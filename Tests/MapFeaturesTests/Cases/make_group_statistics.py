"""Writes group_statistics.jsonl: random tables, statistics queries about them, and the records of DuckDB.

A line is an object: the columns of the table, the statistics as texts, the group fields, the condition on records, the
order, the maximum number of records, and the expected records as lists: group values, then statistics.
The condition is applied to the result, as WHERE over a subquery. Percentiles are DuckDB's quantile_cont.

Usage: python make_group_statistics.py > group_statistics.jsonl (needs duckdb)
"""
import json
import random

import duckdb

random.seed(23)
FIELDS = ["g", "h", "i", "r", "t"]
TYPES = {"g": "VARCHAR", "h": "BIGINT", "i": "BIGINT", "r": "DOUBLE", "t": "VARCHAR"}
WORDS = ["a", "b", "B", "é", "z", "", "Ω", "ab"]


def value(field, nulls):
    if random.random() < nulls:
        return None
    if field in "gt":
        return random.choice(WORDS)
    if field == "h":
        return random.randint(-1, 3)
    if field == "i":
        return random.choice([random.randint(-5, 5), random.randint(-(10**6), 10**6), random.randint(-(2**52), 2**52)])
    return random.choice([random.randint(-20, 20) / 4, random.uniform(-1e6, 1e6), random.uniform(-1, 1) * 1e-9])


def number(share):
    return repr(share).removesuffix(".0")


def statistic(alias):
    field = random.choice("hirt" if random.random() < 0.5 else "ir")
    kinds = ["count", "distinct", "max", "min"] + (["avg", "std", "var", "sum", "median", "percentile"] if field != "t" else [])
    kind = random.choice(kinds + ["rows"])
    sql = {"count": f"count({field})", "distinct": f"count(DISTINCT {field})", "max": f"max({field})",
           "min": f"min({field})", "avg": f"avg({field})", "std": f"stddev_samp({field}::DOUBLE)",
           "var": f"var_samp({field}::DOUBLE)", "sum": f"sum({field})::DOUBLE", "median": f"quantile_cont({field}, 0.5)"}
    if kind == "rows":
        return f"count:*:{alias}", "count(*)", "number"
    if kind == "percentile":
        share = random.choice([0, 1, 10, 25, 33.3, 50, 75, 90, 99, 99.9, 100, round(random.uniform(0, 100), 3)])
        return f"percentile:{number(share)}:{field}:{alias}", f"quantile_cont({field}, {share / 100!r})", "number"
    is_text = field == "t" and kind in ("max", "min")
    return f"{kind}:{field}:{alias}", sql[kind], "text" if is_text else "number"


def condition(names, depth=0):
    if depth < 3 and random.random() < 0.5:
        form = random.choice(["({} AND {})", "({} OR {})", "NOT ({})"])
        return form.format(*[condition(names, depth + 1) for _ in range(form.count("{}"))])
    name, kind = random.choice(names)
    if random.random() < 0.15:
        return f"{name} IS {random.choice(['', 'NOT '])}NULL"
    if kind == "text":
        word = lambda: "'" + random.choice(WORDS) + "'"
        return random.choice([
            f"{name} {random.choice(['=', '<>', '<', '>='])} {word()}", f"{name} IN ({word()}, {word()})",
            f"{name} LIKE '{random.choice(['a%', '%b', '_'])}'"])
    constant = lambda: str(random.choice([random.randint(0, 6), random.randint(-1000, 1000), round(random.uniform(-3, 9), 2)]))
    others = [n for n, k in names if k == "number"]
    return random.choice([
        f"{name} {random.choice(['=', '<>', '<', '<=', '>', '>='])} {constant()}",
        f"{name} BETWEEN {constant()} AND {constant()}", f"{name} IN ({constant()}, {constant()}, {constant()})",
        f"{name} + {random.choice(others)} > {constant()}", f"{name} * 2 < {random.choice(others)}",
        f"ABS({name}) > {constant()}"])


for case in range(300):
    count = random.choice([0, 1, 2, random.randint(3, 15), random.randint(16, 60)])
    nulls = random.choice([0, 0.2, 0.9])
    columns = {field: [value(field, nulls) for _ in range(count)] for field in FIELDS}
    db = duckdb.connect()
    db.execute("CREATE TABLE t (" + ", ".join(f"{f} {TYPES[f]}" for f in FIELDS) + ")")
    if count:
        db.executemany(f"INSERT INTO t VALUES ({', '.join('?' * 5)})", list(zip(*columns.values())))
    groups = random.choice([[], ["g"], ["h"], ["g", "h"], ["h", "g"], ["r"]])
    made = [statistic(f"s{place}") for place in range(random.randint(1, 5))]
    names = [(f"s{place}", kind) for place, (_, _, kind) in enumerate(made)]
    names += [(group, "text" if group == "g" else "number") for group in groups]
    having = condition(names) if random.random() < 0.8 else ""
    if having and not any(kind == "number" for _, kind in names) and ("+" in having or "*" in having):
        having = ""
    order, keys = [], []
    for name in random.sample([n for n, _ in names], random.randint(0, len(names))):
        way, null = random.choice(["asc", "desc"]), random.choice(["first", "last", None])
        order.append(f"{name}:{way}" + (f":nulls-{null}" if null else ""))
        keys.append(f"{name} {way} NULLS {null or ('LAST' if way == 'asc' else 'FIRST')}")
    keys += [f"{group} asc NULLS LAST" for group in groups]
    top = random.choice([0, 0, 1, 3])
    inner = "SELECT " + ", ".join(groups + [f"{sql} AS s{p}" for p, (_, sql, _) in enumerate(made)]) + " FROM t"
    inner += f" GROUP BY {', '.join(groups)}" if groups else ""
    outer = f"SELECT * FROM ({inner})" + (f" WHERE {having}" if having else "")
    outer += (f" ORDER BY {', '.join(keys)}" if keys else "") + (f" LIMIT {top}" if top else "")
    print(json.dumps({
        "columns": columns, "statistics": [text for text, _, _ in made], "groupBy": groups, "having": having,
        "orderBy": order, "top": top, "records": [list(row) for row in db.execute(outer).fetchall()],
    }, ensure_ascii=False))

"""Where clauses by chance with the answers of SQLite, row by row: sqlite-table.tsv and sqlite-cases.tsv.

Usage: make-sqlite-cases.py (in this folder; SQLite 3.40 with its math functions gave the files as they are kept).
Every clause is made in both languages side by side, so that it is written around what they do not share by rule:
  integers are divided as integers by SQLite        CAST(a AS REAL) / b
  LIKE ignores the case of ASCII letters there      PRAGMA case_sensitive_like
  upper() and lower() know ASCII alone              called on ASCII text only
  CAST to an integer cuts there, and rounds here    CAST(round(a) AS INTEGER)
  text that is no number is 0 there, and null here  only text made from integers is cast
  round() is of the binary fraction there           not over quotients; sums and products here are exact in binary
  dates are text there                              datetime(a) on both sides
  a month's missing days run on into the next       months are only added to days up to the 28th
  pow(0, -1) is infinite there, and null here       exponents are 0 to 3
  substr() with a start below 1 counts from the end starts are 1 or more
  numbers and text have an order there              never compared
The answer is a letter a row: T, F or N for null.
"""

import random
import sqlite3

rng = random.Random(20261121)
ROWS = 24
COUNT = 5600

ASCII = ["", "a", "A", "ab", "Abc", "b", "a%b", "a_b", "100%", "x y", " a ", "aba", "O'Neil", "zz", "Z"]
WIDE = ASCII + ["é", "aé", "Zürich", "😀b", "ÅÅ", "e\u0301", "名前"]
DATES = ["2019-12-28", "2020-02-28", "2020-03-01", "2021-01-01", "2021-01-15", "2022-06-28"]
TIMES = ["00:00:00", "00:00:01", "10:30:00", "23:59:59"]


def quoted(text):
    return "'" + text.replace("'", "''") + "'"


def null(chance, value):
    return None if rng.random() < chance else value


COLUMNS = [("i", "integer"), ("j", "integer"), ("r", "real"), ("q", "real"), ("s", "text"), ("t", "text"), ("u", "text"),
           ("d", "date"), ("m", "instant"), ("n", "instant")]


def row():
    return [
        null(0.2, rng.randrange(-9, 10)), rng.choice([-100, -7, 0, 1, 2, 3, 12, 1000]),
        null(0.2, rng.randrange(-40, 41) / 8), rng.choice([0.0, 0.5, 1.0, -2.25, 3.125, 100.0]),
        null(0.2, rng.choice(ASCII)), rng.choice(ASCII), null(0.2, rng.choice(WIDE)),
        null(0.2, rng.choice(DATES)), null(0.2, rng.choice(DATES) + " " + rng.choice(TIMES)),
        rng.choice(DATES) + " " + rng.choice(TIMES),
    ]


def pair(form, *parts):
    """One form for both languages, or two, filled with parts in both."""
    ours, lite = form if isinstance(form, tuple) else (form, form)
    return ours.format(*(p[0] for p in parts)), lite.format(*(p[1] for p in parts))


def integer(depth):
    kind = rng.randrange(13 if depth > 0 else 2)
    if kind == 0:
        return pair(rng.choice(["i", "j"]))
    if kind == 1:
        return pair(str(rng.choice([-7, -1, 0, 1, 2, 3, 5, 12])))
    sub = lambda: integer(depth - 1)
    if kind in (2, 3):
        return pair("({} " + rng.choice("+-*") + " {})", sub(), sub()) if depth < 3 else sub()
    if kind == 4:
        return pair(("MOD({}, {})", "({} % {})"), sub(), sub())
    if kind == 5:
        return pair("ABS({})", sub())
    if kind == 6:
        return pair(("CHAR_LENGTH({})", "length({})"), text(depth - 1))
    if kind == 7:
        needle = pair(quoted(rng.choice(["a", "b", "", "%", "é"])))
        return pair(("POSITION({} IN {})", "instr({1}, {0})"), needle, text(depth - 1))
    if kind == 8:
        unit, code = rng.choice([("YEAR", "%Y"), ("month", "%m"), ("Day", "%d"), ("HOUR", "%H"), ("MINUTE", "%M"), ("SECOND", "%S")])
        return pair(("EXTRACT(" + unit + " FROM {})", "CAST(strftime('" + code + "', {}) AS INTEGER)"), moment(depth - 1))
    if kind == 9:
        return pair(("CAST({} AS INT)", "CAST(round({}) AS INTEGER)"), exact(depth - 1))
    if kind == 10:
        return pair(("CAST(CAST({} AS VARCHAR) AS INTEGER)", "CAST(CAST({} AS TEXT) AS INTEGER)"), sub())
    return general(integer, depth)


def exact(depth):
    """A number whose binary form is its decimal form."""
    kind = rng.randrange(8 if depth > 0 else 3)
    if kind == 0:
        return pair(rng.choice(["r", "q"]))
    if kind == 1:
        return pair(rng.choice(["0.5", "-1.25", "2.0", ".125", "1e2"]))
    if kind == 2:
        return integer(depth)
    sub = lambda: exact(depth - 1)
    if kind == 3:
        return pair("({} " + rng.choice("+-") + " {})", sub(), sub())
    if kind == 4:
        return pair("(-({}))", sub())
    if kind in (5, 6):
        return pair(rng.choice([("FLOOR({})", "floor({})"), ("CEILING({})", "ceil({})"), ("TRUNCATE({}, 0)", "trunc({})"), ("ROUND({}, 0)", "round({})"), "ABS({})"]), sub())
    return general(exact, depth)


def number(depth):
    kind = rng.randrange(12 if depth > 0 else 2)
    sub = lambda: number(depth - 1)
    if kind < 2:
        return exact(depth)
    if kind == 2:
        return pair(("({} / {})", "(CAST({} AS REAL) / {})"), sub(), sub())
    if kind == 3:
        return pair(("POWER({}, " + (e := str(rng.randrange(4))) + ")", "pow({}, " + e + ")"), sub())
    if kind in (4, 8, 9, 10):
        return pair(rng.choice([("LOG({})", "ln({})"), ("LOG10({})", "log10({})"), "SIN({})", "COS({})", "TAN({})"]), sub())
    if kind == 5:
        return pair("ROUND({}, " + str(rng.randrange(3)) + ")", exact(depth - 1))
    if kind == 6:
        return pair(("CAST({} AS FLOAT)", "CAST({} AS REAL)"), sub())
    if kind == 7:
        return pair(("MOD({}, {})", "mod({}, {})"), pair("r"), exact(depth - 1))
    return general(number, depth)


def ascii_text(depth):
    return text(depth, ascii=True)


def text(depth, ascii=False):
    kind = rng.randrange(10 if depth > 0 else 2)
    if kind == 0:
        return pair(rng.choice(["s", "t"] if ascii else ["s", "t", "u"]))
    if kind == 1:
        return pair(quoted(rng.choice(ASCII if ascii else WIDE)))
    sub = lambda: text(depth - 1, ascii)
    if kind == 2:
        return pair(rng.choice(["UPPER({})", "lower({})"]), ascii_text(depth - 1))
    if kind == 3:
        return pair(("CONCAT({}, {})", "({} || {})"), sub(), sub())
    if kind in (4, 5):
        start, length = pair(str(rng.randrange(1, 4))), pair(str(rng.randrange(4)))
        form = rng.choice([("SUBSTRING({} FROM {} FOR {})", "substr({}, {}, {})"), ("SUBSTRING({}, {}, {})", "substr({}, {}, {})"),
                           ("SUBSTRING({} FROM {})", "substr({}, {})")])
        return pair(form, sub(), start, length)
    if kind == 6:
        form = rng.choice([("TRIM({1})", "trim({1})"), ("TRIM(BOTH {0} FROM {1})", "trim({1}, {0})"), ("TRIM({0} FROM {1})", "trim({1}, {0})"),
                           ("TRIM(LEADING {0} FROM {1})", "ltrim({1}, {0})"), ("trim(trailing {0} from {1})", "rtrim({1}, {0})")])
        return pair(form, pair(quoted(rng.choice(["a", " ", "ab", "%"]))), sub())
    if kind == 7:
        size = rng.randrange(1, 4)
        return pair(rng.choice([("CAST({} AS VARCHAR)", "CAST({} AS TEXT)"), (f"CAST({{}} AS VARCHAR({size}))", f"substr(CAST({{}} AS TEXT), 1, {size})")]), integer(depth - 1))
    return general(ascii_text if ascii else text, depth)


def moment(depth):
    kind = rng.randrange(7 if depth > 0 else 4)
    if kind == 0:
        return pair(("d", "datetime(d)"))
    if kind == 1:
        return pair(rng.choice(["m", "n"]))
    if kind == 2:
        day = rng.choice(DATES)
        return pair((f"DATE '{day}'", f"'{day} 00:00:00'"))
    if kind == 3:
        time = rng.choice(DATES) + " " + rng.choice(TIMES)
        return pair((f"TIMESTAMP '{time}'", f"'{time}'"))
    if kind == 4:
        amount, sign = rng.randrange(0, 100), rng.choice("+-")
        if rng.random() < 0.3:
            unit, base = rng.choice(["MONTH", "YEAR"]), moment(0)
            amount %= 30
        else:
            unit, base = rng.choice(["DAY", "HOUR", "MINUTE", "SECOND"]), moment(depth - 1)
        return pair((f"({{}} {sign} INTERVAL '{amount}' {unit})", f"datetime({{}}, '{sign}{amount} {unit.lower()}s')"), base)
    if kind == 5:
        return pair(("CAST({} AS DATE)", "datetime(date({}))"), moment(depth - 1))
    return general(moment, depth)


def general(kind, depth):
    """What takes values of every type."""
    sub = lambda: kind(depth - 1)
    choice = rng.randrange(5)
    if choice == 0:
        return pair("COALESCE({}, {})", sub(), sub())
    if choice == 1:
        return pair("NULLIF({}, {})", sub(), sub())
    if choice == 2:
        return pair("CASE WHEN {} THEN {} ELSE {} END", condition(depth - 1), sub(), sub())
    if choice == 3:
        return pair("CASE WHEN {} THEN {} WHEN {} THEN {} END", condition(depth - 1), sub(), condition(depth - 1), sub())
    return pair("CASE {} WHEN {} THEN {} ELSE {} END", sub(), sub(), sub(), sub())


TYPES = [integer, exact, number, text, text, moment]


def condition(depth):
    kind = rng.randrange(12 if depth > 0 else 5)
    negation = rng.choice(["", "NOT "])
    if kind >= 8:
        terms = [condition(depth - 1) for _ in range(rng.randrange(2, 4))]
        word = rng.choice([" AND ", " OR "])
        return pair("(" + word.join("{}" for _ in terms) + ")", *terms)
    if kind == 7:
        return pair("NOT ({})", condition(depth - 1))
    of = rng.choice(TYPES)
    if kind == 2:
        escape = rng.choice(["", "", " ESCAPE '!'"])
        pattern = pair(quoted(rng.choice(["a%", "%b", "_", "%a_", "A%", "", "%", "%!%", "a!_b", "100!%", "%é%", "__", "%a%b%", "Z_rich"])))
        if not escape and rng.random() < 0.2:
            pattern = text(depth)
        return pair("{} " + negation + "LIKE {}" + escape, text(depth), pattern)
    if kind == 3:
        elements = [of(0) for _ in range(rng.randrange(1, 6))] + ([pair("NULL")] if rng.random() < 0.15 else [])
        return pair("{} " + negation + "IN (" + ", ".join("{}" for _ in elements) + ")", of(depth), *elements)
    if kind == 4:
        return pair("{} " + negation + "BETWEEN {} AND {}", of(depth), of(depth - 1), of(depth - 1))
    if kind == 5:
        return pair("{} IS " + negation + "NULL", of(depth))
    return pair("{} " + rng.choice(["=", "<>", "<", ">", "<=", ">=", "!="]) + " {}", of(depth), of(depth))


def main():
    database = sqlite3.connect(":memory:")
    database.execute("PRAGMA case_sensitive_like = ON")
    types = {"integer": "INTEGER", "real": "REAL", "text": "TEXT", "date": "TEXT", "instant": "TEXT"}
    database.execute("CREATE TABLE x (%s)" % ", ".join(f"{n} {types[t]}" for n, t in COLUMNS))
    rows = [row() for _ in range(ROWS)]
    database.executemany("INSERT INTO x VALUES (%s)" % ", ".join("?" * len(COLUMNS)), rows)
    with open("sqlite-table.tsv", "w") as file:
        print(*(n for n, _ in COLUMNS), sep="\t", file=file)
        print(*(t for _, t in COLUMNS), sep="\t", file=file)
        for values in rows:
            cells = ["\\N" if v is None else str(v) for v in values]
            print(*(c.replace(" ", "T") + "Z" if t == "instant" and c != "\\N" else c
                    for c, (_, t) in zip(cells, COLUMNS)), sep="\t", file=file)
    seen, kept = set(), 0
    with open("sqlite-cases.tsv", "w") as file:
        print("where", "answers", sep="\t", file=file)
        while kept < COUNT:
            ours, lite = condition(rng.randrange(1, 4))
            if ours in seen or len(ours) > 400:
                continue
            answers = "".join({None: "N", 0: "F", 1: "T"}[a] for a, in database.execute(f"SELECT {lite} FROM x ORDER BY rowid"))
            # Clauses that hold for all rows or for none show less, and so do those without a null.
            selects = 0 < answers.count("T") < ROWS
            if rng.random() < (0 if selects else 0.5) + (0 if "N" in answers else 0.4):
                continue
            seen.add(ours)
            kept += 1
            print(ours, answers, sep="\t", file=file)


main()

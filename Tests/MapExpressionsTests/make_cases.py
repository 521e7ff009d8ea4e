"""Writes Cases/arcade.json: expressions of our own, their values, and the page that describes their functions.

The values of numbers are computed here, by Python; the others are written by hand from the descriptions.
"""
import json
import math
import os

BASE = "https://developers.arcgis.com/arcade/"
PAGES = {
    "types": BASE + "guide/type-casting/",
    "operators": BASE + "guide/operators/",
    "logic": BASE + "guide/logic/",
    "templates": BASE + "guide/template-literals/",
    "math": BASE + "function-reference/math_functions/",
    "text": BASE + "function-reference/text_functions/",
    "date": BASE + "function-reference/date_functions/",
    "logical": BASE + "function-reference/logical_functions/",
    "array": BASE + "function-reference/array_functions/",
    "dictionary": BASE + "function-reference/dictionary_functions/",
    "data": BASE + "function-reference/data_functions/",
    "geometry": BASE + "function-reference/geometry_functions/",
    "constants": BASE + "function-reference/constants/",
}
cases = []


def add(page, *pairs):
    for expression, value in pairs:
        cases.append({"page": page, "expression": expression, "value": value})


# Operators on numbers, computed here.
for a, b in [(7, 3), (-7, 3), (2.5, 0.5), (0, 4), (1e6, 1e-3), (10, -4)]:
    add("operators", (f"{a} + {b}", a + b), (f"{a} - {b}", a - b), (f"{a} * {b}", a * b), (f"{a} / {b}", a / b),
        (f"{a} % {b}", math.fmod(a, b)), (f"{a} < {b}", a < b), (f"{a} >= {b}", a >= b), (f"{a} == {b}", a == b),
        (f"{a} != {b}", a != b))
add("operators",
    ("1 + 2 * 3", 7), ("(1 + 2) * 3", 9), ("2 - 3 - 4", -5), ("24 / 4 / 2", 3), ("-2 * -3", 6), ("!true", False),
    ("!(1 > 2)", True), ("true && false", False), ("true || false", True), ("1 < 2 && 2 < 3", True),
    ("false && (1 / 0 > 2)", False), ("var x = 5; x += 2; x", 7), ("var x = 5; x -= 2; x", 3),
    ("var x = 5; x *= 2; x", 10), ("var x = 5; x /= 2; x", 2.5), ("var x = 5; x %= 3; x", 2),
    ("var x = 5; x++; x", 6), ("var x = 5; x++", 5), ("var x = 5; ++x", 6), ("var x = 5; --x", 4),
    ("var x = 5; x--; x", 4), ("6 & 3", 2), ("6 | 3", 7), ("6 ^ 3", 5), ("1 << 4", 16), ("32 >> 2", 8),
    ("1 > 2 || 3 > 2 && 1 > 5", False), ("-2 + 5", 3), ("- 2 - - 3", 1), (".5 + .25", 0.75), ("1e3", 1000),
    ("0x1F", 31), ("3 > 2 == true", True))
# Coercions.
add("types",
    ("'a' + 1", "a1"), ("1 + 'a'", "1a"), ("1 + 2 + 'a'", "3a"), ("'a' + 1 + 2", "a12"), ("null + 5", 5),
    ("5 + null", 5), ("null + 'x'", "x"), ("'x' + null", "x"), ("null + null", 0), ("true + 1", 2),
    ("false + 1", 1), ("true + 'x'", "truex"), ("'3' * 2", 6), ("'3' - 1", 2), ("'10' / '4'", 2.5),
    ("'1.5' + 1", "1.51"), ("null * 5", 0), ("5 - null", 5), ("IsNan('a' * 2)", True), ("IsNan('a' - 1)", True),
    ("'a' + 0.1", "a0.1"), ("'a' + 1.50", "a1.5"), ("'' + 100000", "100000"), ("'' + 1e21", "1e+21"),
    ("'' + 0.000001", "0.000001"), ("'' + 0.0000001", "1e-7"), ("'' + 123456789012", "123456789012"),
    ("'' + -0.5", "-0.5"), ("'' + 1 / 3", "0.3333333333333333"), ("1 == '1'", False), ("null == null", True),
    ("null == ''", False), ("null == 0", False), ("'a' == 'a'", True), ("'a' == 'A'", False),
    ("true == 1", False), ("1 != '1'", True), ("'10' > 9", True), ("'b' > 'a'", True), ("'10' < '9'", True),
    ("null < 1", True), ("null > -1", True), ("null <= null", True), ("null < null", False), ("2 > '1'", True),
    ("'x' > 1", False), ("'x' < 1", False), ("Number('12')", 12), ("Number(' 12 ')", 12), ("Number(true)", 1),
    ("Number(null)", 0), ("IsNan(Number('12a'))", True), ("Text(12)", "12"), ("Text(true)", "true"),
    ("Text(null)", ""), ("Boolean('true')", True), ("Boolean('TRUE')", True), ("Boolean(0)", False),
    ("Boolean(2)", True), ("Boolean('hello')", False), ("Boolean(null)", False), ("-'3'", -3), ("+'3'", 3),
    ("-null", 0), ("Number(Date(2020, 0, 1))", 1577836800000))
# Control flow.
add("logic",
    ("if (1 < 2) { 'yes' } else { 'no' }", "yes"), ("if (1 > 2) { return 'yes' } return 'no'", "no"),
    ("if (1 > 2) return 'a'; else if (2 > 1) return 'b'; else return 'c';", "b"),
    ("var t = 0; for (var i = 0; i < 5; i++) { t += i } t", 10),
    ("var t = 0; for (var i in [10, 20, 30]) { t += i } t", 3),
    ("var t = 0; for (var v of [10, 20, 30]) { t += v } t", 60),
    ("var t = 0; var a = [10, 20, 30]; for (var i in a) { t += a[i] } return t", 60),
    ("var i = 0; while (i < 10) { i++; if (i == 4) { break } } i", 4),
    ("var t = 0; for (var i = 0; i < 6; i++) { if (i % 2 == 0) { continue } t += i } t", 9),
    ("function f(a, b) { return a * b } f(3, 4)", 12), ("f(2); function f(x) { return x + 1 }", 3),
    ("function f(n) { if (n < 2) { return 1 } return n * f(n - 1) } f(5)", 120),
    ("var x = 1; function g() { x = 5 } g(); x", 5), ("function h() { var x = 2; return x } var x = 1; h() + x", 3),
    ("var a = 1, b = 2; a + b", 3), ("return", None), ("return 5; 6", 5), ("var a", None), ("", None),
    ("/* comment */ 1 // rest", 1), ("VAR A = 2; a", 2), ("var k = ''; for (var n in {x: 1, y: 2}) { k += n } k", "xy"),
    ("var t = 0; for (var i = 10; i > 0; i -= 3) t += i; t", 22), ("if (true) { if (false) { 1 } else { 2 } }", 2),
    ("var a = 1\nvar b = 2\na + b", 3))
add("templates",
    ("`a${1 + 2}b`", "a3b"), ("`plain`", "plain"), ("var n = 'x'; `${n}-${n}`", "x-x"), ("`${null}!`", "!"),
    ("`${'}'}`", "}"), ("`${`in${1}`}`" if False else "`${[1,2]}`", "[1,2]"), ("`a\\n`", "a\n"), ("``", ""))
# Constants.
add("constants",
    ("PI", math.pi), ("-Infinity < 0", True), ("TextFormatting.NewLine", "\n"), ("TextFormatting.Tab", "\t"),
    ("TextFormatting.DoubleQuote", '"'), ("TextFormatting.SingleQuote", "'"), ("TextFormatting.ForwardSlash", "/"),
    ("TextFormatting.BackwardSlash", "\\"), ("pi * 2", math.pi * 2))
# Mathematics, computed here.
for value in [-2.5, -1, 0, 0.5, 1, 2, 10]:
    add("math", (f"Abs({value})", abs(value)), (f"Cos({value})", math.cos(value)), (f"Sin({value})", math.sin(value)),
        (f"Exp({value})", math.exp(value)), (f"Floor({value})", math.floor(value)), (f"Ceil({value})", math.ceil(value)),
        (f"Atan({value})", math.atan(value)), (f"Tan({value})", math.tan(value)))
for value in [0.25, 1, 2, 100]:
    add("math", (f"Sqrt({value})", math.sqrt(value)), (f"Log({value})", math.log(value)),
        (f"Pow({value}, 3)", value ** 3), (f"Pow(2, {value})", 2 ** value))
for value in [-1, -0.5, 0, 0.5, 1]:
    add("math", (f"Acos({value})", math.acos(value)), (f"Asin({value})", math.asin(value)),
        (f"Atan2({value}, 2)", math.atan2(value, 2)))
numbers = [3, 8, 1, 9.5, -2]
mean = sum(numbers) / 5
variance = sum((x - mean) ** 2 for x in numbers) / 5
for form in ["{}", "[{}]"]:
    inner = form.format(", ".join(map(str, numbers)))
    add("math", (f"Max({inner})", 9.5), (f"Min({inner})", -2), (f"Sum({inner})", 19.5), (f"Mean({inner})", mean),
        (f"Average({inner})", mean), (f"Variance({inner})", variance), (f"Stdev({inner})", math.sqrt(variance)))
add("math",
    ("Round(2.5)", 3), ("Round(-2.5)", -2), ("Round(2.345, 2)", 2.35), ("Round(1.005, 2)", 1.01), ("Round(1234, -2)", 1200),
    ("Round(7)", 7), ("Floor(2.345, 1)", 2.3), ("Ceil(2.341, 2)", 2.35), ("Floor(-2.345, 1)", -2.4),
    ("Constrain(5, 1, 3)", 3), ("Constrain(-5, 1, 3)", 1), ("Constrain(2, 1, 3)", 2), ("IsNan(Sqrt(-1))", True),
    ("Max([])", None), ("Max(1, null, 3)", 3), ("Mean([])", None), ("Sum([])", 0), ("Number('1,365', ',###')", 1365),
    ("Number('$5.50', '$0.00')", 5.5), ("Number('50%', '#%')", 0.5), ("IsNan(Number('x', '0'))", True),
    ("Sign(-3)", -1))
# Text.
add("text",
    ("Concatenate('a', 1, null, 'b')", "a1b"), ("Concatenate(['a', 'b', 'c'], '-')", "a-b-c"), ("Concatenate([])", ""),
    ("Concatenate([1.5, 2.25], ';', '0.00')", "1.50;2.25"), ("Upper('aBc é')", "ABC É"), ("Lower('ABC')", "abc"),
    ("Proper('hello wide WORLD')", "Hello Wide World"), ("Proper('hello WORLD', 'firstword')", "Hello world"),
    ("Trim('  a b  ')", "a b"), ("Trim('')", ""), ("Left('abcdef', 2)", "ab"), ("Left('ab', 9)", "ab"), ("Left('ab', 0)", ""),
    ("Right('abcdef', 2)", "ef"), ("Right('ab', 9)", "ab"), ("Mid('abcdef', 2, 3)", "cde"), ("Mid('abcdef', 4)", "ef"),
    ("Mid('abc', 9)", ""), ("Find('c', 'abcabc')", 2), ("Find('c', 'abcabc', 3)", 5), ("Find('z', 'abc')", -1),
    ("Find('', 'abc')", 0), ("Replace('aXbXc', 'X', '-')", "a-b-c"), ("Replace('aXbXc', 'X', '-', false)", "a-bXc"),
    ("Replace('abc', '', 'x')", "abc"), ("Replace('abc', 'z', 'x')", "abc"), ("Count(Split('a,b,c', ','))", 3),
    ("Split('a,b,c', ',')[1]", "b"), ("Count(Split('a,b,c', ',', 2))", 2), ("Count(Split('a,,c', ',', -1, true))", 2),
    ("Count(Split('a,,c', ','))", 3), ("Concatenate(Split('abc', ''), '.')", "a.b.c"), ("Count('hello')", 5),
    ("ToCharCode('A')", 65), ("ToCharCode('AB', 1)", 66), ("FromCharCode(72, 105)", "Hi"), ("ToHex(255)", "ff"),
    ("UrlEncode('a b&c')", "a%20b%26c"), ("UrlEncode('é')", "%C3%A9"),
    ("StandardizeGuid('{ABCDEF00-1234-5678-9ABC-DEF012345678}', 'digits')", "abcdef00123456789abcdef012345678"),
    ("StandardizeGuid('abcdef00123456789abcdef012345678', 'digits-hyphen-braces')",
     "{abcdef00-1234-5678-9abc-def012345678}"),
    ("StandardizeGuid('abc', 'digits')", None), ("'abc'[1]", "b"), ("Upper(null)", ""), ("Left(12345, 2)", "12"),
    ("Text(1234.5, '#,###.00')", "1,234.50"), ("Text(0.5, '#%')", "50%"), ("Text(5, '000')", "005"),
    ("Text(1234567, '#,##0')", "1,234,567"), ("Text(1.005, '0.00')", "1.01"), ("Text(-3, '#,##0.0')", "-3.0"),
    ("Text(-3, '0;(0)')", "(3)"), ("Text(12, '$0.00')", "$12.00"), ("Text(0, '#')", "0"), ("Text(1.5, '#.###')", "1.5"),
    ("Text(999.999, '0.00')", "1000.00"), ("Text(0.129, '0.0#')", "0.13"), ("Text(1e20, '#,##0')",
     "100,000,000,000,000,000,000"), ("Text([1, 'a', null])", '[1,"a",null]'), ("Text({a: 1, b: [true]})",
     '{"a":1,"b":[true]}'), ("Text(1.1)", "1.1"), ("'It\\'s'", "It's"), ('"say \\"x\\""', 'say "x"'), ("'a\\tb'", "a\tb"),
    ("'\\u0041'", "A"), ("Count('')", 0))
# Dates, all in UTC.
D = "Date(2024, 1, 29, 13, 5, 9, 42)"
add("date",
    (f"Year({D})", 2024), (f"Month({D})", 1), (f"Day({D})", 29), (f"Hour({D})", 13), (f"Minute({D})", 5),
    (f"Second({D})", 9), (f"Millisecond({D})", 42), (f"Weekday({D})", 4), (f"ISOMonth({D})", 2),
    (f"ISOWeekday({D})", 4), (f"ISOWeek({D})", 9), (f"ISOYear({D})", 2024), (f"Week({D})", 8),
    ("ISOWeek(Date(2021, 0, 1))", 53), ("ISOYear(Date(2021, 0, 1))", 2020), ("ISOWeek(Date(2018, 11, 31))", 1),
    ("ISOYear(Date(2018, 11, 31))", 2019), ("Weekday(Date(2024, 0, 7))", 0), ("ISOWeekday(Date(2024, 0, 7))", 7),
    ("Text(Date(2024, 0, 5), 'YYYY-MM-DD')", "2024-01-05"), (f"Text({D}, 'MMM D, YYYY')", "Feb 29, 2024"),
    (f"Text({D}, 'MMMM DD YY')", "February 29 24"), (f"Text({D}, 'dddd')", "Thursday"), (f"Text({D}, 'ddd')", "Thu"),
    (f"Text({D}, 'h:mm:ss A')", "1:05:09 PM"), (f"Text({D}, 'HH:mm')", "13:05"), (f"Text({D}, 'M/D/YYYY')", "2/29/2024"),
    (f"Text({D}, '[day] D')", "day 29"), (f"Text({D}, 'SSS')", "042"), (f"Text({D})", "2024-02-29T13:05:09.042Z"),
    ("Text(Date(2024, 0, 1, 0), 'hh A')", "12 AM"), ("Date(2024, 12, 1) == Date(2025, 0, 1)", True),
    ("Date('2024-03-01') == Date(2024, 2, 1)", True), ("Date('2024-03-01T10:00:00Z') == Date(2024, 2, 1, 10)", True),
    ("Date('2024-03-01T10:00:00+02:00') == Date(2024, 2, 1, 8)", True), ("Date('2024-03-01T10:30') == Date(2024, 2, 1, 10, 30)", True),
    ("Date('nonsense')", None), ("Number(Date(0))", 0), ("Date(null)", None),
    ("Text(DateAdd(Date(2024, 0, 31), 1, 'months'), 'YYYY-MM-DD')", "2024-02-29"),
    ("Text(DateAdd(Date(2024, 1, 29), 1, 'years'), 'YYYY-MM-DD')", "2025-02-28"),
    ("Text(DateAdd(Date(2024, 0, 31), 1, 'days'), 'YYYY-MM-DD')", "2024-02-01"),
    ("Text(DateAdd(Date(2024, 0, 1), -1, 'hours'), 'YYYY-MM-DD HH')", "2023-12-31 23"),
    ("Text(DateAdd(Date(2024, 0, 1), 90, 'minutes'), 'HH:mm')", "01:30"),
    ("Text(DateAdd(Date(2024, 0, 1), 2, 'weeks'), 'D')", "15"), ("Number(DateAdd(Date(0), 5))", 5),
    ("DateAdd(null, 1, 'days')", None), ("DateDiff(Date(2024, 0, 2), Date(2024, 0, 1), 'days')", 1),
    ("DateDiff(Date(2024, 0, 1), Date(2024, 0, 2), 'hours')", -24), ("DateDiff(Date(2024, 0, 1, 1), Date(2024, 0, 1), 'minutes')", 60),
    ("DateDiff(Date(2024, 0, 1, 0, 0, 1), Date(2024, 0, 1))", 1000), ("DateDiff(Date(2024, 0, 15), Date(2024, 0, 1), 'weeks')", 2),
    ("DateDiff(Date(2025, 0, 1), Date(2023, 0, 1), 'years')", 2), ("DateDiff(Date(2024, 3, 1), Date(2024, 0, 1), 'months')", 3),
    ("IsNan(DateDiff(null, Date(2024, 0, 1)))", True), ("Date(2024, 0, 1) < Date(2024, 0, 2)", True),
    ("Number(Now())", 1700000000000), ("Text(Today(), 'YYYY-MM-DD HH:mm')", "2023-11-14 00:00"), ("Now() == Timestamp()", True),
    ("IsNan(Year(null))", True), ("Year('2020-05-01')", 2020), ("'on ' + Date(2024, 0, 1)", "on 2024-01-01T00:00:00Z"),
    ("ToUTC(Date(0)) == ToLocal(Date(0))", True))
# Logical functions.
add("logical",
    ("IIf(1 < 2, 'a', 'b')", "a"), ("IIf(1 > 2, 'a', 'b')", "b"), ("IIF(true, 1, 1 / 0)", 1),
    ("When(false, 1, true, 2, 3)", 2), ("When(false, 1, false, 2, 3)", 3), ("Decode(2, 1, 'a', 2, 'b', 'c')", "b"),
    ("Decode(9, 1, 'a', 2, 'b', 'c')", "c"), ("Decode('2', 2, 'b', 'c')", "c"), ("Decode(9, 1, 'a')", None),
    ("IsEmpty(null)", True), ("IsEmpty('')", True), ("IsEmpty(' ')", False), ("IsEmpty(0)", False), ("IsEmpty([])", False),
    ("DefaultValue(null, 5)", 5), ("DefaultValue('', 'x')", "x"), ("DefaultValue(3, 5)", 3),
    ("DefaultValue({a: null}, 'a', 7)", 7), ("DefaultValue({a: 1}, 'a', 7)", 1), ("DefaultValue([5], 3, 7)", 7),
    ("IsNan(5)", False), ("IsNan('a')", False), ("TypeOf(1)", "Number"), ("TypeOf('a')", "String"), ("TypeOf(null)", "Null"),
    ("TypeOf(true)", "Boolean"), ("TypeOf([])", "Array"), ("TypeOf({})", "Dictionary"), ("TypeOf(Date(0))", "Date"),
    ("TypeOf($feature)", "Feature"), ("HasValue({a: 1}, 'a')", True), ("HasValue({a: null}, 'a')", False),
    ("HasValue({a: {b: 1}}, ['a', 'b'])", True), ("Equals('a', 'a')", True))
# Arrays.
add("array",
    ("[1, 2, 3][0]", 1), ("[1, 2, 3][-1]", 3), ("Count([1, 2])", 2), ("First([7, 8])", 7), ("First([])", None),
    ("Front([7, 8])", 7), ("Back([7, 8])", 8), ("var a = [1]; Push(a, 2); Count(a)", 2), ("var a = [1, 2]; Pop(a)", 2),
    ("var a = [1, 3]; Insert(a, 1, 2); Text(a)", "[1,2,3]"), ("var a = [1, 2, 3]; Erase(a, 0); Text(a)", "[2,3]"),
    ("var a = [1]; Resize(a, 3, 0); Text(a)", "[1,0,0]"), ("var a = [1, 2, 3]; Resize(a, 1); Text(a)", "[1]"),
    ("Includes([1, 2], 2)", True), ("Includes([1, 2], 5)", False), ("IndexOf(['a', 'b'], 'b')", 1), ("IndexOf([], 1)", -1),
    ("Text(Reverse([1, 2, 3]))", "[3,2,1]"), ("Text(Slice([1, 2, 3, 4], 1, 3))", "[2,3]"), ("Text(Slice([1, 2, 3], -2))", "[2,3]"),
    ("Text(Splice([1], 2, [3]))", "[1,2,3]"), ("Text(Top([5, 6, 7], 2))", "[5,6]"), ("Text(Distinct([1, 1, 2]))", "[1,2]"),
    ("Text(Sort([3, 1, 2]))", "[1,2,3]"), ("Text(Sort(['b', 'a']))", '["a","b"]'), ("Text(Sort([10, 9]))", "[9,10]"),
    ("function d(a, b) { return b - a } Text(Sort([1, 3, 2], d))", "[3,2,1]"),
    ("function f(x) { return x * 2 } Text(Map([1, 2], f))", "[2,4]"), ("function f(x) { return x > 1 } Text(Filter([1, 2, 3], f))", "[2,3]"),
    ("function f(x) { return x > 1 } All([2, 3], f)", True), ("function f(x) { return x > 1 } Any([0, 1], f)", False),
    ("function f(x) { return x > 1 } None([0, 1], f)", True), ("function s(a, b) { return a + b } Reduce([1, 2, 3], s)", 6),
    ("function s(a, b) { return a + b } Reduce([1, 2], s, 10)", 13), ("Text(Array(2, 'x'))", '["x","x"]'),
    ("var a = [1, 2]; a[0] = 9; a[2] = 3; Text(a)", "[9,2,3]"), ("var a = [1]; var b = a; Push(b, 2); Count(a)", 2),
    ("[1] == [1]", False), ("[[1, 2], [3]][0][1]", 2))
# Dictionaries and features.
add("dictionary",
    ("{a: 1}.a", 1), ("{'a b': 1}['a b']", 1), ("{A: 1}.a", 1), ("var d = {a: 1}; d.b = 2; d.a + d.b", 3),
    ("Dictionary('a', 1, 'b', 2).b", 2), ("HasKey({a: null}, 'a')", True), ("HasKey({}, 'a')", False), ("Count({a: 1, b: 2})", 2),
    ("Text(Dictionary('x', Date(5)))", '{"x":5}'), ("{a: {b: [1, 2]}}.a.b[1]", 2))
add("data",
    ("$feature.NAME", "Elm"), ("$feature['name']", "Elm"), ("$feature.height * 2", 25), ("$feature.COUNT + 1", 8),
    ("$feature.missing", None), ("IsEmpty($feature.EMPTY)", True), ("$feature.EMPTY + 3", 3), ("$feature.EMPTY + 'x'", "x"),
    ("var f = 'NAME'; $feature[f]", "Elm"), ("HasKey($feature, 'NAME')", True), ("HasKey($feature, 'NO')", False),
    ("DomainName($feature, 'COUNT')", "seven"), ("DomainCode($feature, 'COUNT', 'seven')", 7),
    ("DomainName($feature, 'NAME')", "Elm"), ("Year($feature.WHEN)", 2024), ("$view.scale", 5000), ("$view.scale / 1000", 5),
    ("$feature.NAME + ' ' + $feature.HEIGHT + ' m'", "Elm 12.5 m"), ("Count($feature)", 5),
    ("Proper(Lower($feature.NAME)) == 'Elm'", True))
add("geometry",
    ("Area($feature)", 50), ("Area($feature, 'square-kilometers')", 0.00005), ("Length($feature)", 30),
    ("Length($feature, 'kilometers')", 0.03), ("Centroid($feature).x", 5), ("Centroid($feature).y", 2.5),
    ("TypeOf(Geometry($feature))", "Geometry"), ("Area(Geometry($feature), 'acres') > 0", True),
    ("Round(Length($feature, 'feet'), 3)", round(30 / 0.3048, 3)), ("Area(null)", 0))

path = os.path.join(os.path.dirname(__file__), "Cases", "arcade.json")
with open(path, "w", encoding="utf-8") as file:
    file.write('{"pages": ' + json.dumps(PAGES, indent=2) + ',\n"cases": [\n')
    file.write(",\n".join(json.dumps(case, ensure_ascii=False) for case in cases))
    file.write("\n]}\n")
print(len(cases))

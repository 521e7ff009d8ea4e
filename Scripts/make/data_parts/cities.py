"""Makes world-cities.csv from GeoNames, chosen as in an atlas: large cities, capitals, and isolated places."""
import csv
import io
import math

import numpy

from . import sources

COUNT = 10_020
LARGE = 100_000  # every place with at least this population is included
# A place this close to one with so many times its population counts as a part of it: Brooklyn, Pudong.
SUBURB_KILOMETRES, SUBURB_TIMES = 15.0, 3.0
# POP_RANK n holds populations from limit n up to the limit before it; 7 holds lower and unknown ones.
RANK_LIMITS = [5_000_000, 1_000_000, 500_000, 250_000, 100_000, 50_000]
# Entries that are not towns: a private house.
NO_TOWN = {"Thomas Magena home"}
# Capitals whose spelling differs between the tables of countries and of cities.
CAPITALS = {"US": "Washington", "PW": "Ngerulmud", "IL": "Jerusalem", "MX": "Mexico City"}
EARTH_KILOMETRES = 6371.0


def write(folder):
    cities, countries = sources.cities(), sources.countries()
    known = sorted((c for c in cities if c["population"] > 0), key=lambda c: (-c["population"], c["geonameid"]))
    capital = capitals(cities, countries)
    unknown = [c for c in cities if c["population"] == 0 and c["name"] not in NO_TOWN]
    larger = isolation(known)
    chosen = {c["geonameid"] for c in unknown} | capital
    whole = [(c, alone) for c, (alone, suburb) in zip(known, larger) if not suburb]
    chosen |= {c["geonameid"] for c, _ in whole if c["population"] >= LARGE}
    for city, _ in sorted(whole, key=lambda pair: (-pair[1], pair[0]["geonameid"])):
        if len(chosen) == COUNT:
            break
        chosen.add(city["geonameid"])
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow(["CITY_NAME", "CNTRY_NAME", "STATUS", "POP", "POP_RANK", "LONGITUDE", "LATITUDE"])
    # Large cities come first: symbols of small cities are drawn above, labels of large ones are placed first.
    for city in known + sorted(unknown, key=lambda c: c["geonameid"]):
        if city["geonameid"] not in chosen:
            continue
        people = city["population"]
        table.writerow([
            city["name"], countries[city["countrycode"]]["name"],
            "capital" if city["geonameid"] in capital else "",
            people or "", 1 + sum(people < limit for limit in RANK_LIMITS),
            shortest(city["longitude"]), shortest(city["latitude"])])
    path = folder / "world-cities.csv"
    path.write_text(text.getvalue(), encoding="utf-8")
    print(f"wrote {path.name}: {len(chosen):,} rows, {path.stat().st_size:,} bytes")


def shortest(degrees):
    return f"{degrees:.3f}".rstrip("0").rstrip(".")


def capitals(cities, countries):
    """Returns the ids of national capitals: the most populous place of that name in the country."""
    found = set()
    for code, country in countries.items():
        name = CAPITALS.get(code, country["capital"].strip())
        same = [c for c in cities if c["countrycode"] == code
                and (c["name"] == name or name in c["alternatenames"])]
        same.sort(key=lambda c: (c["name"] != name, -c["population"]))
        if same:
            found.add(same[0]["geonameid"])
        elif name:
            print(f"capital {name} of {code} not found")
    return found


def isolation(known):
    """Returns for each of `known`, largest first: kilometres to the nearest larger place, and whether it is a suburb."""
    longitude = numpy.radians([c["longitude"] for c in known])
    latitude = numpy.radians([c["latitude"] for c in known])
    people = numpy.array([c["population"] for c in known], dtype=float)
    # Points on the unit sphere: the straight distance grows with the distance on the ground.
    places = numpy.stack([numpy.cos(latitude) * numpy.cos(longitude),
                          numpy.cos(latitude) * numpy.sin(longitude), numpy.sin(latitude)], axis=1)
    near = 2 * math.sin(SUBURB_KILOMETRES / EARTH_KILOMETRES / 2)
    found = [(math.inf, False)]
    for index in range(1, len(known)):
        square = ((places[:index] - places[index]) ** 2).sum(axis=1)
        suburb = bool((people[:index][square < near ** 2] >= SUBURB_TIMES * people[index]).any())
        straight = math.sqrt(square.min())
        found.append((2 * EARTH_KILOMETRES * math.asin(min(1, straight / 2)), suburb))
    return found

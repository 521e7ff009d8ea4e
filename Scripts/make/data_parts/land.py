"""Makes san-francisco-land.geojson: the counties around the bay at the source's full resolution."""
import shapely

from . import sources
from .counties import geometry, oriented

BOX = (-123.1, 37.3, -121.9, 38.2)
DECIMALS = 6  # the precision of the source


def write(folder):
    states, box, features = sources.state_names(), shapely.box(*BOX), []
    for record, rings in sources.county_shapes():
        if record["STATEFP"] != "06":
            continue
        # The even-odd rule, applied manually: outer rings of a shapefile are clockwise.
        outer = [shapely.Polygon(r) for r in rings if sources.signed_area(r) < 0]
        holes = [shapely.Polygon(r) for r in rings if sources.signed_area(r) >= 0]
        whole = shapely.difference(shapely.MultiPolygon(outer), shapely.MultiPolygon(holes))
        if not whole.intersects(box):
            continue
        cut = shapely.intersection(whole, box)
        parts = [p for p in getattr(cut, "geoms", [cut]) if p.geom_type == "Polygon"]
        rounded = shapely.transform(shapely.MultiPolygon(parts), lambda xy: xy.round(DECIMALS))
        features.append({"type": "Feature", "properties": {
            "NAME": record["NAME"], "STATE_NAME": states[record["STATEFP"]][0]},
            "geometry": geometry(oriented(rounded))})
    sources.write_features(folder / "san-francisco-land.geojson", features)

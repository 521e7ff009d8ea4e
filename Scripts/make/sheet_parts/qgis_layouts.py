"""Layouts of QGIS for the data of the finished maps: run by /usr/bin/python3 with Debian's package python3-qgis.

  qgis_layouts.py FOLDER     writes qgis-NAME.png for each map

The land of the world is that of the package qgis-common; without it, these maps have no land.
"""
import os
import pathlib
import sys

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
from qgis.core import (  # noqa: E402
    QgsApplication, QgsCategorizedSymbolRenderer, QgsClassificationRange, QgsCoordinateReferenceSystem,
    QgsCoordinateTransform, QgsFillSymbol, QgsGraduatedSymbolRenderer, QgsLayoutExporter, QgsLayoutItemLabel,
    QgsLayoutItemLegend, QgsLayoutItemMap, QgsLayoutItemScaleBar, QgsLayoutPoint, QgsLayoutSize, QgsLineSymbol,
    QgsMarkerSymbol, QgsPalLayerSettings, QgsPrintLayout, QgsProject, QgsRectangle, QgsRendererCategory,
    QgsRendererRange, QgsSingleSymbolRenderer, QgsTextBufferSettings, QgsTextFormat, QgsUnitTypes, QgsVectorLayer,
    QgsVectorLayerSimpleLabeling)
from qgis.PyQt.QtGui import QFont  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[3]
DATA = ROOT / "Styles/data"
WORLD = pathlib.Path(os.environ.get("QGIS_WORLD", "/usr/share/qgis/resources/data/world_map.gpkg"))
MM = 25.4 / 96
ORANGES = ["#f6e9d7", "#f6cfa6", "#eea57b", "#d9736a", "#aa4065", "#6a1f5c"]
VIRIDIS = ["#440154", "#414487", "#2a788e", "#22a884", "#7ad151", "#fde725"]
TYPES = ["#4477aa", "#cc6677", "#ee8833", "#882288", "#aa4499", "#999933", "#117733", "#ddaa33", "#88aa33", "#3388bb",
         "#3366bb", "#dd5566"]


def fill(color, outline="#ffffff", width=0.1):
    return QgsFillSymbol.createSimple({"color": color, "outline_color": outline, "outline_width": str(width)})


def dot(color, size):
    return QgsMarkerSymbol.createSimple(
        {"color": color, "size": str(size), "outline_color": "white", "outline_width": "0.1"})


def classes(field, breaks, colors, make, labels=None):
    ranges = [QgsRendererRange(QgsClassificationRange(labels[i] if labels else f"{low:g} – {high:g}", low, high), make(i))
              for i, (low, high) in enumerate(zip(breaks, breaks[1:]))]
    return QgsGraduatedSymbolRenderer(field, ranges)


def layer(path, name, renderer, where=""):
    if path.endswith(".csv"):
        geometry = "wktField=WKT" if "rivers" in path else "xField=LONGITUDE&yField=LATITUDE"
        found = QgsVectorLayer(f"file://{DATA / path}?delimiter=,&{geometry}&crs=EPSG:4326", name, "delimitedtext")
    else:
        found = QgsVectorLayer(path if path.startswith("/") else str(DATA / path), name, "ogr")
    if not found.isValid():
        sys.exit(f"{path} cannot be read")
    if where:
        found.setSubsetString(where)
    if renderer:
        found.setRenderer(renderer)
    return found


def labelled(found, field, size=7, placement=None, halo=0, expression=False, wrap=0):
    """Labels a layer.

    `halo` is the width of a white buffer around the letters in millimetres; `wrap` is the longest line in letters.
    """
    settings = QgsPalLayerSettings()
    settings.fieldName, settings.enabled, settings.isExpression = field, True, expression
    settings.autoWrapLength = wrap
    if placement is not None:
        settings.placement = placement
        settings.offsetType, settings.dist = QgsPalLayerSettings.FromSymbolBounds, 0.5
    form = QgsTextFormat()
    form.setFont(QFont("Noto Sans"))
    form.setSize(size)
    if halo:
        buffer = QgsTextBufferSettings()
        buffer.setEnabled(True)
        buffer.setSize(halo)
        form.setBuffer(buffer)
    settings.setFormat(form)
    found.setLabeling(QgsVectorLayerSimpleLabeling(settings))
    found.setLabelsEnabled(True)
    return found


def map_item(layout, box, layers, crs, shown):
    """Adds a map at `box`, its left, top, width and height in millimetres.

    `shown` is a layer, the sides of an extent in degrees, or a rectangle in the spatial reference of the map.
    """
    item = QgsLayoutItemMap(layout)
    item.attemptMove(QgsLayoutPoint(*box[:2]))
    item.attemptResize(QgsLayoutSize(*box[2:]))
    item.setLayers(layers)
    item.setCrs(QgsCoordinateReferenceSystem(crs))
    extent = shown
    if not isinstance(shown, QgsRectangle):
        degrees = isinstance(shown, tuple)
        source = QgsCoordinateReferenceSystem("EPSG:4326") if degrees else shown.crs()
        change = QgsCoordinateTransform(source, item.crs(), layout.project())
        extent = change.transformBoundingBox(QgsRectangle(*shown) if degrees else shown.extent())
    # The first extent resizes the item; the second one fits the item again.
    item.setExtent(extent)
    item.attemptResize(QgsLayoutSize(*box[2:]))
    item.zoomToExtent(extent)
    layout.addLayoutItem(item)
    return item


def draw(folder, name, size, crs, layers, title="", subtitle="", extent=None, legend=(), scale=None, below=False,
         shown=None, margin=4, add=None):
    """Writes a layout as an image of `size` pixels; `add` receives the layout and its map to change them first."""
    layers = [item for item in layers if item]
    project = QgsProject()
    # As QGIS sets it for a new project: scale bars measure on the ellipsoid.
    project.setCrs(QgsCoordinateReferenceSystem(crs), True)
    for item in layers:
        project.addMapLayer(item)
    layout = QgsPrintLayout(project)
    layout.initializeDefaults()
    wide, tall = size[0] * MM, size[1] * MM
    layout.pageCollection().page(0).setPageSize(QgsLayoutSize(wide, tall))
    top, side = 20 if title else margin, 0 if below or not legend else 52
    bottom = 16 if below else margin
    frame = map_item(layout, (margin, top, wide - 2 * margin - side, tall - top - bottom), layers, crs,
                     extent or shown or layers[0])
    for text, size_, y, weight in ((title, 15, 4, QFont.Bold), (subtitle, 10, 12, QFont.Normal)):
        if text:
            item = QgsLayoutItemLabel(layout)
            item.setText(text)
            item.setFont(QFont("Noto Sans", size_, weight))
            item.adjustSizeToText()
            item.attemptMove(QgsLayoutPoint(4, y))
            layout.addLayoutItem(item)
    if legend:
        item = QgsLayoutItemLegend(layout)
        item.setLinkedMap(frame)
        item.setAutoUpdateModel(False)
        root = item.model().rootGroup()
        for found in layers:
            if found not in legend:
                root.removeLayer(found)
        if below:
            item.setColumnCount(8)
            item.setSplitLayer(True)
        item.attemptMove(QgsLayoutPoint(4, tall - bottom) if below else QgsLayoutPoint(wide - side - 2, top))
        layout.addLayoutItem(item)
    if scale:
        item = QgsLayoutItemScaleBar(layout)
        item.setLinkedMap(frame)
        item.applyDefaultSettings()
        item.setUnits(QgsUnitTypes.DistanceKilometers)
        item.setUnitLabel("km")
        item.setUnitsPerSegment(scale)
        item.setNumberOfSegments(2)
        item.setNumberOfSegmentsLeft(0)
        item.update()
        item.attemptMove(QgsLayoutPoint(margin + 2, tall - bottom - 14))
        layout.addLayoutItem(item)
    if add:
        add(layout, frame)
    settings = QgsLayoutExporter.ImageExportSettings()
    settings.dpi = 96
    QgsLayoutExporter(layout).exportToImage(str(folder / f"qgis-{name}.png"), settings)


def unemployment(labels):
    return classes("unemployment_rate", [0, 5, 7, 9, 11, 13, 100], ORANGES, lambda i: fill(ORANGES[i]), labels)


def land():
    if not WORLD.exists():
        return None
    return layer(f"{WORLD}|layername=countries", "Land", QgsSingleSymbolRenderer(fill("#f2f2f0", "#c8c8c8")))


def start():
    QgsApplication.setPrefixPath("/usr", True)
    application = QgsApplication([], False)
    application.initQgis()
    return application


def main():
    folder = pathlib.Path(sys.argv[1])
    application = start()
    lower = "STATE NOT IN ('AK','HI')"
    names = ["5 % or less", "5 to 7 %", "7 to 9 %", "9 to 11 %", "11 to 13 %", "Over 13 %"]
    borders = QgsSingleSymbolRenderer(fill("transparent", "#464a50", 0.25))
    albers, about = "EPSG:5070", "Share of the labour force by county, 2009, 48 contiguous states"

    def counties(name="Unemployment rate"):
        return layer("us-counties.geojson", name, unemployment(names), lower)

    def states(where=lower):
        return layer("us-states.geojson", "State borders", borders.clone(), where)

    c, s = counties(), states()
    draw(folder, "unemployment", (1200, 800), albers, [s, c],
         "Unemployment was highest around the Great Lakes and in California", about, legend=[c], scale=250, shown=c)
    c = layer("us-counties.geojson", "unemployment_rate", classes(
        "unemployment_rate", [1, 5, 8, 10, 12, 16, 30], VIRIDIS, lambda i: fill(VIRIDIS[i])), lower)
    draw(folder, "unemployment-ramp", (1000, 760), albers, [c], "Unemployment by county, 2009", legend=[c], scale=400,
         below=True)
    blue = QgsSingleSymbolRenderer(fill("#c1d1e6", "#3165ab", 0.3))
    s = labelled(layer("us-states.geojson", "States", blue, lower), "STATE")
    draw(folder, "states", (1000, 700), albers, [s], "The 48 contiguous states", scale=500)

    def incidents(where=""):
        found = layer("san-francisco-incidents.geojson", "Incidents", None, where)
        kinds = sorted(found.uniqueValues(found.fields().indexOf("req_type")))
        found.setRenderer(QgsCategorizedSymbolRenderer("req_type", [QgsRendererCategory(
            kind, dot(TYPES[i % 12], 1.3), kind) for i, kind in enumerate(kinds)]))
        return found

    def shore():
        return layer("san-francisco-land.geojson", "Land", QgsSingleSymbolRenderer(fill("#f7f4ed", "#b8b09f")))

    box = (-122.53, 37.70, -122.36, 37.82)
    i, ground = incidents(), shore()
    draw(folder, "incidents", (1000, 800), "EPSG:3857", [i, ground], "Service requests in San Francisco", "Made-up sample data",
         extent=box, legend=[i], scale=1)
    i, ground = incidents("req_type = 'Tree Maintenance or Damage'"), shore()
    draw(folder, "trees", (800, 600), "EPSG:3857", [i, ground], "Damaged and overgrown trees", extent=box, legend=[i], scale=1)

    def cities(where=""):
        return layer("world-cities.csv", "Cities", QgsCategorizedSymbolRenderer("STATUS", [
            QgsRendererCategory("capital", dot("#c42c2e", 1.4), "National capital"), QgsRendererCategory("", dot("#424e5c", 1.4), "City")]), where)

    i, ground = labelled(cities(), "CITY_NAME", 6), land()
    draw(folder, "cities", (1200, 760), "EPSG:3035", [i, ground], "Cities of Europe", "Large cities by population, capitals in red",
         extent=(-10, 35, 32, 60), legend=[i], scale=250)
    i, ground = labelled(cities("\"STATUS\" = 'capital'"), "CITY_NAME", 6), land()
    draw(folder, "capitals", (1200, 680), "EPSG:8857", [i, ground], "Capitals of the world", extent=(-180, -58, 180, 84), legend=[i])
    radii = [0.8, 1.6, 2.6, 4, 6]
    dots = classes("POP", [2e6, 3e6, 5e6, 10e6, 20e6, 30e6], radii, lambda k: dot("#3165ab", radii[k] * 1.5))
    i, ground = layer("world-cities.csv", "POP", dots, "\"POP\" > 2000000"), land()
    draw(folder, "population", (1000, 640), "EPSG:8857", [i, ground], "Cities of more than two million people",
         extent=(-180, -58, 180, 84), legend=[i])
    i, ground = layer("world-rivers.csv", "Rivers", classes(
        "RANK", [-1, 1, 2, 3, 4, 5], [0] * 5, lambda k: QgsLineSymbol.createSimple(
            {"color": "#165e94", "width": str(0.8 - 0.14 * k)}), ["Rank 0 and 1", "Rank 2", "Rank 3", "Rank 4", "Rank 5"])), land()
    draw(folder, "rivers", (1000, 700), "EPSG:8857", [i, ground], "Rivers of the world", "Ranks 0 to 5 of Natural Earth",
         extent=(-180, -58, 180, 84), legend=[i], below=True)
    i, ground = labelled(layer("world-cities.csv", "Towns", QgsSingleSymbolRenderer(dot("#3165ab", 1.6)), "\"LATITUDE\" > 64"), "CITY_NAME", 6), land()
    draw(folder, "arctic", (800, 800), "EPSG:3413", [i, ground], "Towns north of the 64th parallel", shown=i)
    c, s = counties(), states()
    draw(folder, "georgia", (900, 700), "EPSG:3857", [states("NAME = 'Georgia'"), c], "Unemployment in Georgia",
         "Share of the labour force by county, 2009", legend=[c], scale=50, extent=(-85.7, 30.3, -80.7, 35.1))
    c, s = counties(), states()
    draw(folder, "print", (700, 520), albers, [s, c], "Unemployment by county", legend=[c], scale=400, below=True, shown=c)
    application.exitQgis()


if __name__ == "__main__":
    main()

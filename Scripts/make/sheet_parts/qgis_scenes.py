"""Layouts of QGIS for ten scenes of `layouts.py`, as a cartographer would make them: run by /usr/bin/python3.

  qgis_scenes.py FOLDER     writes qgis-NAME.png for each scene

The tool at $MAPSTATE reads the streets for QGIS, because QGIS 3.22 cannot read PMTiles. Without the land of the package
qgis-common, the countries of the test data replace it.
"""
import os
import pathlib
import subprocess
import sys

import made_data
from qgis_layouts import MM, ROOT, classes, dot, draw, fill, labelled, land, layer, map_item, start
from qgis.core import (
    QgsCategorizedSymbolRenderer, QgsClassificationQuantile, QgsColorBrewerColorRamp, QgsCoordinateReferenceSystem,
    QgsCoordinateTransform, QgsFeature, QgsFillSymbol, QgsGeometry, QgsGraduatedSymbolRenderer, QgsLayoutItemLegend,
    QgsLayoutItemMapGrid, QgsLayoutItemScaleBar, QgsLegendRenderer, QgsLegendStyle, QgsLinePatternFillSymbolLayer,
    QgsLineSymbol, QgsPalLayerSettings, QgsPointXY, QgsProject, QgsProperty, QgsRectangle, QgsRendererCategory,
    QgsSimpleLineSymbolLayer, QgsSingleSymbolRenderer, QgsTextFormat, QgsUnitTypes, QgsVectorLayer,
    QgsVectorLayerJoinInfo)
from qgis.PyQt.QtGui import QColor, QFont

LOWER = "STATE NOT IN ('AK','HI')"
ALBERS = "EPSG:5070"
COUNTRIES = f"{made_data.COUNTRIES}|layername=ne_110m_admin_0_countries"
HORIZONTAL, AROUND = QgsPalLayerSettings.Horizontal, QgsPalLayerSettings.OrderedPositionsAroundPoint
SEA, GRATICULE = "#dfe8ee", "#9aa7b0"
# Widths in millimetres, from the lowest to the highest level.
STREETS = [("path", "#b58a5c", 0.3), ("track", "#a08050", 0.3), ("rail", "#707070", 0.4), ("service", "#d4d4d4", 0.7),
           ("minor", "#bdbdbd", 1), ("tertiary", "#a6a6a6", 1.3), ("secondary", "#e6cf5a", 1.5), ("primary", "#f0b070", 1.7)]


def brewer(found, field, ramp, outline="#7f7f7f", count=5):
    """Gives a layer classes with equal counts, in a ramp of ColorBrewer."""
    renderer = QgsGraduatedSymbolRenderer(field)
    renderer.setSourceSymbol(fill("#ffffff", outline))
    renderer.setSourceColorRamp(QgsColorBrewerColorRamp(ramp, count))
    method = QgsClassificationQuantile()
    method.setLabelFormat("%1 – %2")
    method.setLabelPrecision(1)
    renderer.setClassificationMethod(method)
    renderer.updateClasses(found, count)
    found.setRenderer(renderer)


def joined(found, path, target, key):
    """Joins a table to a layer by two fields; returns the table, which must stay in the project."""
    table = QgsVectorLayer(f"file://{path}?delimiter=,&geomType=none", path.stem, "delimitedtext")
    join = QgsVectorLayerJoinInfo()
    join.setJoinLayer(table)
    join.setTargetFieldName(target)
    join.setJoinFieldName(key)
    join.setUsingMemoryCache(True)
    join.setPrefix("")
    found.addJoin(join)
    return table


def drawn(name, shapes, symbol):
    """Returns a layer of shapes in degrees, in memory."""
    found = QgsVectorLayer(f"{'Polygon' if isinstance(symbol, QgsFillSymbol) else 'LineString'}?crs=EPSG:4326", name, "memory")
    for shape in shapes:
        feature = QgsFeature()
        feature.setGeometry(shape.densifyByDistance(1))
        found.dataProvider().addFeature(feature)
    found.updateExtents()
    found.setRenderer(QgsSingleSymbolRenderer(symbol))
    return found


def tight(found, crs):
    """Returns the extent of the features in `crs`, smaller than that of their box in degrees, and a margin."""
    change = QgsCoordinateTransform(found.crs(), QgsCoordinateReferenceSystem(crs), QgsProject.instance())
    extent = QgsRectangle()
    for feature in found.getFeatures():
        shape = feature.geometry()
        shape.transform(change)
        extent.combineExtentWith(shape.boundingBox())
    extent.scale(1.02)
    return extent


def contrasting(found, count):
    """Returns the number of a colour for each name, other than those of its neighbours, and with equal counts."""
    shapes = [(feature["NAME"], feature.geometry()) for feature in found.getFeatures()]
    chosen = {}
    for i, (name, shape) in enumerate(shapes):
        taken = {chosen[other] for other, area in shapes[:i] if shape.intersects(area)}
        chosen[name] = min(set(range(count)) - taken, key=list(chosen.values()).count)
    return chosen


def countries(name="Countries"):
    return layer(COUNTRIES, name, QgsSingleSymbolRenderer(fill("#f2f2f0", "#c8c8c8")))


def states(made, where=""):
    """Returns states by the mean rate of their counties, and the table of the rates."""
    found = layer("us-states.geojson", "Mean rate, %", None, where)
    table = joined(found, made / "state-rates.csv", "STATE", "STATE")
    brewer(found, "mean_rate", "YlOrRd")
    return found, table


def areas(folder, made):
    s, table = states(made, LOWER)
    labelled(s, "if($area > 1.3e11, \"NAME\", \"STATE\")", 7, HORIZONTAL, 0.5, expression=True)
    draw(folder, "areas-states", (1000, 700), ALBERS, [s, table], extent=tight(s, ALBERS), legend=[s])
    c = countries()
    colors = QgsColorBrewerColorRamp("Set3", 12)
    c.setRenderer(QgsCategorizedSymbolRenderer("NAME", [
        QgsRendererCategory(name, fill(colors.color(i / 11).name(), "#ffffff", 0.2), name)
        for name, i in contrasting(c, 12).items()]))
    draw(folder, "areas-europe", (900, 800), "EPSG:3035", [labelled(c, "NAME", 7, HORIZONTAL, 0.5, wrap=10)],
         extent=(-12, 35, 40, 62))
    c = layer("us-counties.geojson", "Unemployment rate", None, "STATE = 'GA'")
    brewer(c, "unemployment_rate", "YlGnBu")
    draw(folder, "areas-georgia", (1000, 1000), "EPSG:26917", [labelled(c, "NAME", 6, HORIZONTAL, 0.5)],
         extent=tight(c, "EPSG:26917"), legend=[c])


def world(folder, made):
    c = countries("Inhabitants per square kilometre")
    table = joined(c, made / "densities.csv", "NAME", "name")
    brewer(c, "density", "YlGnBu", "#ffffff")
    lines = [[QgsPointXY(x, -90), QgsPointXY(x, 90)] for x in range(-150, 180, 30)]
    lines += [[QgsPointXY(-180, y), QgsPointXY(180, y)] for y in range(-60, 90, 30)]
    graticule = drawn("Graticule", map(QgsGeometry.fromPolylineXY, lines),
                      QgsLineSymbol.createSimple({"color": GRATICULE, "width": "0.1"}))
    sea = drawn("Sea", [QgsGeometry.fromRect(QgsRectangle(-180, -90, 180, 90))], fill(SEA, GRATICULE))

    def row(layout, frame):
        """Writes the title of the legend above all classes, instead of above the first column."""
        for item in layout.items():
            if isinstance(item, QgsLayoutItemLegend):
                item.setTitle(c.name())
                item.setStyleFont(QgsLegendStyle.Title, item.styleFont(QgsLegendStyle.SymbolLabel))
                QgsLegendRenderer.setNodeLegendStyle(item.model().rootGroup().findLayer(c), QgsLegendStyle.Hidden)

    draw(folder, "world-equal-earth", (1100, 600), "EPSG:8857", [c, graticule, sea, table], legend=[c], below=True,
         shown=sea, add=row)


def degrees(folder):
    found = labelled(layer("world-cities.csv", "Cities", QgsSingleSymbolRenderer(dot("#3165ab", 1.6)), "\"POP\" > 500000"),
                     "CITY_NAME", 7, AROUND, 0.5)

    def grid(layout, frame):
        frame.setBackgroundColor(QColor(SEA))
        lines = QgsLayoutItemMapGrid("Graticule", frame)
        lines.setCrs(QgsCoordinateReferenceSystem("EPSG:4326"))
        lines.setIntervalX(5)
        lines.setIntervalY(5)
        lines.setLineSymbol(QgsLineSymbol.createSimple({"color": GRATICULE, "width": "0.1"}))
        lines.setFrameStyle(QgsLayoutItemMapGrid.Zebra)
        lines.setFrameWidth(1.2)
        lines.setAnnotationEnabled(True)
        lines.setAnnotationFormat(QgsLayoutItemMapGrid.DecimalWithSuffix)
        lines.setAnnotationPrecision(0)
        lines.setAnnotationTextFormat(QgsTextFormat.fromQFont(QFont("Noto Sans", 7)))
        for side in (QgsLayoutItemMapGrid.Left, QgsLayoutItemMapGrid.Right):
            lines.setAnnotationDisplay(QgsLayoutItemMapGrid.LatitudeOnly, side)
            lines.setFrameDivisions(QgsLayoutItemMapGrid.LatitudeOnly, side)
        for side in (QgsLayoutItemMapGrid.Top, QgsLayoutItemMapGrid.Bottom):
            lines.setAnnotationDisplay(QgsLayoutItemMapGrid.LongitudeOnly, side)
            lines.setFrameDivisions(QgsLayoutItemMapGrid.LongitudeOnly, side)
        frame.grids().addGrid(lines)

    draw(folder, "world-frame", (1000, 760), "EPSG:3035", [found, land() or countries()], extent=(-12, 35, 35, 62),
         margin=9, add=grid)


def insets(folder, made):
    s, table = states(made)
    labelled(s, "STATE", 7, HORIZONTAL, 0.5)
    # The classes are those of all states.
    lower = s.clone()
    lower.setSubsetString(LOWER)

    def others(layout, frame):
        layout.project().addMapLayer(s)
        for box, crs, extent in (((5, 140, 46, 40), "EPSG:3338", (-179, 51.5, -130, 71.5)),
                                 ((160, 157, 40, 24), "ESRI:102007", (-160.4, 18.8, -154.7, 22.4))):
            map_item(layout, box, [s], crs, extent).setFrameEnabled(True)

    draw(folder, "world-insets", (1000, 700), ALBERS, [lower, table], extent=tight(lower, ALBERS), legend=[lower], add=others)


def locator(folder):
    circle = dot("#3165ab", 2)
    circle.setDataDefinedSize(QgsProperty.fromExpression("coalesce(scale_exp(\"POP\", 100000, 3500000, 1.5, 10, 0.57), 0)"))
    found = labelled(layer("world-cities.csv", "Cities", QgsSingleSymbolRenderer(circle), "\"CNTRY_NAME\" = 'Germany'"),
                     "CITY_NAME", 7, AROUND, 0.5)
    around = countries()

    def overview(layout, frame):
        frame.setBackgroundColor(QColor(SEA))
        layout.project().addMapLayer(around)
        size = 36
        item = map_item(layout, (800 * MM - 6 - size, 900 * MM - 6 - size, size, size), [around], "EPSG:3035", (-8, 36, 30, 60))
        item.setBackgroundColor(QColor(SEA))
        item.setFrameEnabled(True)
        item.overview().setLinkedMap(frame)

    draw(folder, "page-locator", (800, 900), "EPSG:25832", [found, land() or countries()], extent=(5.6, 47.2, 15.2, 55.1),
         scale=50, add=overview)


def rates(folder):
    breaks = [0, 4, 6, 8, 10, 12, 31]
    ramp = QgsColorBrewerColorRamp("RdYlBu", 6, True)
    c = layer("us-counties.geojson", "Unemployment rate, %", classes(
        "unemployment_rate", breaks, breaks[1:], lambda i: fill(ramp.color(i / 5).name())), LOWER)
    draw(folder, "rates-midpoint", (1000, 700), ALBERS, [c], "Unemployment below and above 8 %, 2009",
         extent=tight(c, ALBERS), legend=[c])


def ink(folder, made):
    s, table = states(made, LOWER)
    for number, distance in enumerate((3.5, 2.2, 1.5, 1, 0.6)):
        hatch = QgsLinePatternFillSymbolLayer()
        hatch.setSubSymbol(QgsLineSymbol.createSimple({"color": "black", "width": "0.2"}))
        hatch.setLineAngle(45)
        hatch.setDistance(distance)
        symbol = QgsFillSymbol()
        symbol.changeSymbolLayer(0, hatch)
        symbol.appendSymbolLayer(QgsSimpleLineSymbolLayer(QColor("black"), 0.26))
        s.renderer().updateRangeSymbol(number, symbol)
    draw(folder, "ink-states", (1000, 700), ALBERS, [s, table], "Unemployment by state, 2009", extent=tight(s, ALBERS), legend=[s])


def streets(folder, made):
    path = made / "streets.geojson"
    tool = os.environ.get("MAPSTATE") or ROOT / ".build/release/mapstate"
    subprocess.run([tool, "query", "Styles/tiles/helsinki.pmtiles#transportation_name", "--in-view", "--viewpoint",
                    "60.1675,24.945,6000", "--size", "900x650", "-o", path], cwd=ROOT, check=True, capture_output=True)
    renderer = QgsCategorizedSymbolRenderer("class")
    for level, (kind, color, width) in enumerate(STREETS):
        symbol = QgsLineSymbol.createSimple({"color": color, "width": str(width), "capstyle": "round", "joinstyle": "round"})
        symbol.symbolLayer(0).setRenderingPass(level)
        renderer.addCategory(QgsRendererCategory(kind, symbol, kind))
    renderer.setUsingSymbolLevels(True)

    def bar(layout, frame):
        frame.setScale(6000)
        for item in layout.items():
            if isinstance(item, QgsLayoutItemScaleBar):
                item.setUnits(QgsUnitTypes.DistanceMeters)
                item.setUnitLabel("m")
                item.setUnitsPerSegment(50)
                item.setBackgroundEnabled(True)

    draw(folder, "page-plate", (900, 650), "EPSG:3857", [layer(str(path), "Streets", renderer)],
         extent=(24.939, 60.165, 24.951, 60.17), scale=0.05, add=bar)


def main():
    folder = pathlib.Path(sys.argv[1]).resolve()
    made = folder / "made"
    made.mkdir(parents=True, exist_ok=True)
    made_data.state_rates(made)
    made_data.densities(made)
    application = start()
    areas(folder, made)
    world(folder, made)
    degrees(folder)
    insets(folder, made)
    locator(folder)
    rates(folder)
    ink(folder, made)
    streets(folder, made)
    application.exitQgis()


if __name__ == "__main__":
    main()

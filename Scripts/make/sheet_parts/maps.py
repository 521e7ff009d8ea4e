"""Twelve finished maps with the parts of a report: name, question for the eye, and arguments of `mapstate`.

`qgis_layouts.py` draws the same data by layouts of QGIS.
"""
import json
import pathlib

STYLES = pathlib.Path(__file__).resolve().parents[3] / "Styles"

CONTIGUOUS = ["--definition", "STATE NOT IN ('AK', 'HI')"]
WORLD = ["--reference", "8857", "--bounds", "-150,-52,160,74", "--basemap", "arcGISLightGray"]


def density(folder):
    """Writes a document with the density of one type of points, because thousands of markers cover each other."""
    document = json.loads((STYLES / "san-francisco-incidents.json").read_text())
    land, incidents = document["operationalLayers"]
    for layer in (land, incidents):
        layer["url"] = str(STYLES / layer["url"])
    definition = incidents["layerDefinition"]
    incidents["title"] = "Graffiti"
    definition["definitionExpression"] = "req_type = 'Graffiti'"
    del definition["displayFilterInfo"]
    colors = [(0, [254, 217, 118, 0]), (0.15, [254, 217, 118, 200]), (0.4, [253, 141, 60, 235]),
              (0.7, [227, 26, 28, 245]), (1, [128, 0, 38, 255])]
    definition["drawingInfo"]["renderer"] = {
        "type": "heatmap", "radius": 15, "minDensity": 0.0006, "maxDensity": 0.08,
        "colorStops": [{"ratio": ratio, "color": color} for ratio, color in colors],
        "legendOptions": {"title": "Reports of graffiti", "minLabel": "few", "maxLabel": "many"}}
    path = folder / "graffiti.json"
    path.write_text(json.dumps(document))
    return path.resolve()


MAPS = [
    ("unemployment", "Counties in Albers with state borders and a legend of classes.",
     ["render", "Styles/us-unemployment.json", "--size", "1200x800",
      "--title", "Unemployment was highest around the Great Lakes and in California",
      "--subtitle", "Share of the labour force by county, 2009, 48 contiguous states", "--legend", "--scale-bar"]),
    ("unemployment-ramp", "Class breaks of a data file, in colours for all colour vision, with a stepped bar below the map.",
     ["render", "Styles/data/us-counties.geojson", "--size", "1000x760", "--reference", "5070", *CONTIGUOUS,
      "--fit", "us-counties", "--color-by", "unemployment_rate", "--breaks", "4,6,8,10,12", "--ramp", "viridis",
      "--title", "Unemployment by county, 2009", "--legend", "bottom", "--legend-bars", "--legend-title",
      "Share of the labour force, in percent", "--scale-bar", "imperial"]),
    ("states", "Areas of a data file, with labels.",
     ["render", "Styles/data/us-states.geojson", "--size", "1000x700", "--reference", "5070", *CONTIGUOUS,
      "--fit", "us-states", "--padding", "24", "--label", "STATE", "--title", "The 48 contiguous states", "--frame",
      "--scale-bar", "both"]),
    ("incidents", "The density of one type of points, with a ramp.",
     ["render", density, "--allow-path", str(STYLES), "--size", "1000x800", "--fit", "Graffiti", "--padding", "12",
      "--title", "Most graffiti is reported from the Mission and downtown", "--subtitle",
      "Service requests in San Francisco, made-up sample data", "--legend", "--legend-title", "Reports of graffiti",
      "--scale-bar", "both", "--north-arrow"]),
    ("trees", "Only the class in view, and its number.",
     ["render", "Styles/san-francisco-incidents.json", "--size", "800x700", "--fit", "Incidents", "--padding", "16",
      "--title", "Damaged and overgrown trees", "--subtitle", "Made-up sample data", "--legend", "bottom",
      "--legend-in-view", "--legend-counts", "--scale-bar"]),
    ("cities", "Sizes and classes of cities, on a light basemap.",
     ["render", "Styles/world-cities.json", "--size", "1200x760", "--bounds", "-10,35,32,60", "--reference", "3035",
      "--title", "Cities of Europe", "--subtitle", "Large cities by population, capitals in red", "--legend",
      "--scale-bar"]),
    ("capitals", "One class with labels, in an equal-area projection of the world.",
     ["render", "Styles/world-cities.json", "--size", "1200x680", *WORLD, "--definition", "STATUS = 'capital'",
      "--title", "Capitals of the world", "--subtitle", "Large names: capitals with the most inhabitants"]),
    ("population", "Sizes by value alone.",
     ["render", "Styles/data/world-cities.csv", "--size", "1000x640", "--size-by", "POP", "--definition",
      "POP > 2000000", *WORLD, "--title", "Cities of more than two million people", "--legend", "bottom-left",
      "--legend-title", "Inhabitants"]),
    ("rivers", "Lines by rank, with a legend in a row.",
     ["render", "Styles/world-rivers.json", "--size", "1000x640", *WORLD, "--title", "Rivers of the world",
      "--subtitle", "Ranks 0 to 3 of Natural Earth", "--legend", "bottom", "--legend-in-view"]),
    ("arctic", "A polar projection with labels.",
     ["render", "Styles/data/world-cities.csv", "--size", "800x800", "--reference", "3413", "--definition",
      "LATITUDE > 64", "--fit", "world-cities", "--padding", "30", "--label", "CITY_NAME", "--basemap",
      "arcGISOceans", "--title", "Towns north of the 64th parallel", "--frame"]),
    ("georgia", "A state of a series: outlined, and everything else muted.",
     ["series", "Styles/us-unemployment.json", "--by", "State borders", "--definition",
      "State borders: NAME = 'Georgia'", "--mute", "--size", "900x700", "--title", "Unemployment in {NAME}",
      "--subtitle", "Share of the labour force by county, 2009", "--legend", "--legend-in-view", "--scale-bar",
      "--north-arrow"]),
    ("print", "The first map at 192 dots per inch, with a bar below.",
     ["render", "Styles/us-unemployment.json", "--size", "700x520", "--dpi", "192", "--title",
      "Unemployment by county", "--legend", "bottom", "--legend-bars", "--legend-title",
      "Share of the labour force, 2009", "--scale-bar"]),
]

"""Further maps to judge for print: names of areas, maps of the world, layouts, statistics, black and white, and media.

As in `prints.py`, each is one command with the defaults of the tool, and the names are stable.
"""
from .prints import CITIES, COUNTIES, COUNTRIES, HELSINKI, LOWER, STATES, WORLD

PLAIN = f"render Styles/data/us-counties.geojson {LOWER} --fit us-counties --size 1000x700"
NATIONS = f"render {COUNTRIES} --label NAME --background \"#dbe7ee\""
GERMANY = f"{CITIES} --definition \"CNTRY_NAME = 'Germany' AND POP > 400000\" --reference 25832 --size-by POP --label CITY_NAME --basemap arcGISLightGray"

LAYOUTS = [
    # Names of areas.
    ("areas-states", "States with names, or abbreviations where they do not fit",
     f"{STATES} --label NAME --label-short STATE -o {{out}}"),
    ("areas-europe", "Countries of Europe with names or abbreviations",
     f"{NATIONS} --label-short POSTAL --reference 3035 --bounds -12,35,40,62 --size 1200x1100 --join {{made}}/densities.csv:NAME=name --color-by density --legend -o {{out}}"),
    ("areas-africa", "Countries of Africa with names, or short ones, in them or beside them",
     f"{NATIONS} --label-short ABBREV --bounds -20,-36,55,38 --size 1000x1050 --symbol \"#f2ede4\" -o {{out}}"),
    ("areas-georgia", "Counties of Georgia with names in areas of several colours",
     "render Styles/data/us-counties.geojson --definition \"STATE = 'GA'\" --reference 26917 --size 1200x1200 "
     "--color-by unemployment_rate --label NAME --legend -o {out}"),
    ("areas-dark", "Names in dark and light fills",
     f"{WORLD.replace('1100x600', '1000x800').replace('8857', '3857')} --bounds 60,-12,150,55 --label NAME -o {{out}}"),
    ("areas-small", "Borders of counties in a small map", f"{COUNTIES.replace('1000x700', '520x360')} -o {{out}}"),
    # Maps of the world, and of places in several parts.
    ("world-equal-earth", "The world in Equal Earth", f"{WORLD} --basemap arcGISLightGray --graticule -o {{out}}"),
    ("world-robinson", "Cities of the world in Robinson's projection",
     f"{CITIES} --definition \"POP > 3000000\" --reference ESRI:54030 --bounds -180,-90,180,90 --size 1100x640 --size-by POP --size-range 3-26 --opacity 0.75 --basemap arcGISOceans --graticule "
     "--margin 10 --legend bottom -o {out}"),
    ("world-mollweide", "The world in Mollweide's projection, dark",
     f"{WORLD.replace('8857', 'ESRI:54009')} --basemap arcGISDarkGray --graticule -o {{out}}"),
    ("world-frame", "Europe with degrees along the frame",
     f"{CITIES} --definition \"POP > 1500000\" --bounds -12,35,35,62 --reference 3035 --size 1000x760 --label CITY_NAME "
     "--basemap arcGISTopographic --frame --graticule --margin 12 -o {out}"),
    ("world-mercator-frame", "The Mediterranean with degrees along the frame",
     f"{CITIES} --definition \"POP > 1000000 AND CITY_NAME NOT LIKE 'Ra%s Bay%' AND CITY_NAME <> 'Giza'\" --bounds -6,30,37,46 --size 1100x620 --label CITY_NAME --basemap arcGISOceans --frame --graticule -o {{out}}"),
    ("world-arctic", "The Arctic with meridians and parallels",
     "render {made}/none.json --reference 3413 --viewpoint 90,0,40000000 --size 800x800 --basemap arcGISTopographic --basemap-names --graticule -o {out}"),
    ("world-default", "States without the far ends of Alaska",
     "render Styles/data/us-states.geojson --reference ESRI:102009 --size 1100x830 --outline-width 0.8 --label STATE --basemap arcGISLightGray --graticule -o {out}"),
    ("world-insets", "States with insets of Alaska and Hawaii",
     "render Styles/data/us-states.geojson --reference 5070 --size 1000x620 --label STATE --bounds -127,18.5,-66,50 "
     "--inset Alaska@3338:bottom-left --inset -160.6,18.7,-154.5,22.4@ESRI:102007:bottom-right --join {made}/state-rates.csv:STATE --color-by mean_rate --legend right -o {out}"),
    # Layouts.
    ("page-locator", "Cities of a country with a locator", f"{GERMANY} --size 900x1000 --locator --scale-bar --legend -o {{out}}"),
    ("page-columns", "Points of 12 kinds with a legend in four columns",
     "render Styles/san-francisco-incidents.json --filters none --viewpoint 37.73503,-122.4622,10500 --size 900x700 --legend bottom --legend-columns 4 -o {out}"),
    ("page-grid", "Six years on a page",
     "series Styles/san-francisco-incidents.json --filters none --definition \"Incidents: req_type = 'Graffiti'\" --by-time year --viewpoint 37.76,-122.441,195000 "
     "--grid 3x2 --size 1100x860 --title \"Graffiti reported in San Francisco\" --subtitle \"{start}\" -o {out}"),
    ("page-template", "A page by a template",
     f"render Styles/data/us-counties.geojson {LOWER} --color-by unemployment_rate --template {{made}}/template.json --size A4-landscape -o {{out}}"),
    ("page-plate", "A scale bar over streets",
     f"render Styles/helsinki-bicycles.json --basemap arcGISStreets --tiles {HELSINKI} --viewpoint 60.1683,24.9447,5000 --size 1000x720 --scale-bar -o {{out}}"),
    ("page-regions", "Four states on a page",
     "series Styles/us-unemployment.json --by \"State borders\" --definition \"State borders: NAME IN ('Georgia', 'Ohio', 'Iowa', 'Utah')\" --reference 3857 --outline \"Unemployment rate: #b09a90\" --grid 2x2 --size 1000x900 "
     "--title \"Unemployment by county\" --subtitle \"{NAME}\" --legend right -o {out}"),
    # Statistics.
    ("rates-midpoint", "Counties above and below a rate",
     f"{COUNTIES} --midpoint 8 --title \"Unemployment below and above 8 %, 2009\" -o {{out}}"),
    ("rates-equal", "Counties above and below a rate, in classes of equal numbers, with the distribution",
     f"{COUNTIES} --midpoint 8 --method quantile --classes 8 --ramp PuOr_r --legend-charts -o {{out}}"),
    ("rates-chart", "Counties with the distribution of the numbers and the counts of classes",
     f"{COUNTIES} --method natural-breaks --legend-charts --legend-counts --scale-bar -o {{out}}"),
    ("rates-states", "States by two numbers", f"{STATES} --cross-by jobs --label STATE -o {{out}}"),
    ("rates-counties", "Counties by two numbers",
     f"{PLAIN} --join {{made}}/county-people.csv:GEOID --color-by unemployment_rate --cross-by people --legend -o {{out}}"),
    # Black and white, and media.
    ("ink-states", "States in black and white", f"{STATES} --hatch black --title \"Unemployment by state, 2009\" -o {{out}}"),
    ("ink-grey", "States in four hatches of one grey", f"{STATES} --classes 4 --hatch \"#444\" -o {{out}}"),
    ("ink-names", "States in hatches, with names", f"{STATES} --classes 3 --hatch black --label STATE -o {{out}}"),
    ("medium-print", "A map for print", f"{GERMANY} --size 160x180mm --for print --scale-bar -o {{out}}"),
    ("medium-projector", "A map for a projector",
     f"{STATES.replace('1000x700', '1280x720')} --label STATE --for projector --title \"Unemployment by state, 2009\" -o {{out}}"),
]

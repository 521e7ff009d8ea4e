"""Maps to judge for print: each is one command that a user would write, with the defaults of the tool.

The names are stable. `{made}` is the folder of the data that `made_data.py` writes, and `{out}` the image.
"""
NOTO = "/usr/share/fonts/truetype/noto"
SCRIPTS = {"arabic": f"{NOTO}/NotoSansArabic-Regular.ttf", "hindi": f"{NOTO}/NotoSansDevanagari-Regular.ttf",
           "chinese": "/usr/share/fonts/truetype/wqy/wqy-microhei.ttc"}
LOWER = "--definition \"STATE NOT IN ('AK', 'HI')\" --reference 5070"
COUNTIES = f"render Styles/data/us-counties.geojson {LOWER} --fit us-counties --size 1000x700 --color-by unemployment_rate --legend"
STATES = f"render Styles/data/us-states.geojson {LOWER} --fit us-states --size 1000x700 --join {{made}}/state-rates.csv:STATE --color-by mean_rate --legend"
COUNTRIES = "Tests/MapGeospatialTests/Cases/CQL2/ne110m4cql2.gpkg#ne_110m_admin_0_countries"
WORLD = f"render {COUNTRIES} --reference 8857 --size 1100x600 --join {{made}}/densities.csv:NAME=name --color-by density --legend bottom"
CITIES = "render Styles/data/world-cities.csv"
CLASSED = "render Styles/world-cities.json --size 900x620"
HELSINKI = "Styles/tiles/helsinki.pmtiles"
TOWN = "--viewpoint 60.1675,24.945,6000 --size 900x650"
QUAKES = "--size 900x700 --bounds 120,10,158,48"
A4 = ("render Styles/us-unemployment.json --title \"Unemployment by county, 2009\" --subtitle \"Share of the labour force. Source: Bureau of Labor Statistics\" --legend {} --scale-bar --size {}")

FIRST = [
    ("counties-light", "Choropleth of counties on white", f"{COUNTIES} --title \"Unemployment by county, 2009\" --scale-bar -o {{out}}"),
    ("states-grey", "Choropleth of states over a grey basemap", f"{STATES} --basemap arcGISLightGray --label STATE -o {{out}}"),
    ("world-dark", "Choropleth of the world on a dark basemap", f"{WORLD} --basemap arcGISDarkGray --title \"Inhabitants per square kilometre\" -o {{out}}"),
    ("circles-europe", "Proportional circles of cities in Europe",
     f"{CITIES} --definition \"POP > 300000\" --bounds -12,35,35,62 --reference 3035 --size 1000x760 --size-by POP --basemap arcGISLightGray --legend -o {{out}}"),
    ("circles-world", "Proportional circles of cities of the world",
     f"{CITIES} --definition \"POP > 1000000\" --reference 8857 --bounds -150,-55,170,75 --size 1100x600 --size-by POP --basemap arcGISLightGray --legend bottom-left -o {{out}}"),
    ("circles-country", "Proportional circles of cities in one country, with names",
     f"{CITIES} --definition \"CNTRY_NAME = 'Germany'\" --reference 25832 --size 800x900 --size-by POP --label CITY_NAME --basemap arcGISLightGray --legend -o {{out}}"),
    ("circles-over-choropleth", "Circles of cities over a choropleth of counties", "run {made}/circles-over-choropleth.run"),
    ("cities-europe", "Cities by class, with names: Europe", f"{CLASSED} --viewpoint 50,12,14000000 --legend -o {{out}}"),
    ("cities-arctic", "Cities by class, with names: the Arctic", f"{CLASSED} --reference 3413 --viewpoint 75,20,20000000 -o {{out}}"),
    ("cities-east-asia", "Cities by class, with names: East Asia", f"{CLASSED} --viewpoint 35,120,16000000 -o {{out}}"),
    ("cities-south-america", "Cities by class, with names: South America", f"{CLASSED} --viewpoint -20,-60,30000000 -o {{out}}"),
    ("rivers-europe", "Rivers of Europe with names", "render Styles/world-rivers.json --filters none --size 900x620 --viewpoint 50,20,16000000 -o {out}"),
    ("rivers-width", "Rivers with widths by discharge",
     "render {made}/flows.csv --size-by discharge --label name --bounds 55,0,130,45 --size 900x620 --basemap arcGISLightGray --legend -o {out}"),
    ("quakes-clusters", "Earthquakes in clusters", f"render {{made}}/earthquakes-clusters.json {QUAKES} --legend -o {{out}}"),
    ("quakes-heat", "Earthquakes as a heat map", f"render {{made}}/earthquakes-heat.json {QUAKES} --legend -o {{out}}"),
    ("quakes-plain", "Earthquakes as markers by magnitude",
     f"render {{made}}/earthquakes.csv {QUAKES} --color-by magnitude --basemap arcGISOceans --basemap-names --legend -o {{out}}"),
    ("dots", "Density by dots", "render {made}/dots.json --size 900x800 --reference 3175 --legend -o {out}"),
    ("kinds", "Points of 12 kinds",
     "render Styles/san-francisco-incidents.json --filters none --viewpoint 37.765,-122.42,14000 --size 900x650 --legend -o {out}"),
    ("hexagons", "Points counted in hexagons",
     f"{CITIES} --aggregate hexagon --bounds -15,35,45,65 --size 900x700 --basemap arcGISLightGray --legend --title \"Cities of Europe\" -o {{out}}"),
    ("borders", "Borders of countries with names",
     f"render {COUNTRIES} --label NAME --bounds -20,-36,55,38 --size 800x850 --symbol \"#f2ede4\" --background \"#dbe7ee\" -o {{out}}"),
    ("trajectory", "The track of a walk", "render {made}/walk.gpx --size 900x600 --scale-bar --title \"A walk\" -o {out}"),
    ("buildings-town", "Buildings of a town", f"render {HELSINKI}#building {TOWN} --scale-bar -o {{out}}"),
    ("buildings-country", "Buildings of a country", "render {made}/buildings.geojson --size 900x700 --reference 3035 --symbol \"#7a3b1e\" --scale-bar -o {out}"),
    ("parcels", "Parcels with their numbers", "render {made}/parcels.geojson --label number --size 1000x800 --reference 25832 --scale-bar -o {out}"),
    ("streets", "Streets by class, with names", f"render {HELSINKI}#transportation_name --color-by class --label name:latin {TOWN} --legend -o {{out}}"),
    ("page-upright", "A page in A4, upright", A4.format("bottom", "794x1123") + " --bounds -93,36.8,-80.3,48.4 --reference 3175 -o {out}"),
    ("page-across", "A page in A4, across", A4.format("right", "1123x794") + " -o {out}"),
    ("thumbnail", "A thumbnail", "render Styles/world-cities.json --viewpoint 50,12,40000000 --size 200x150 -o {out}"),
    ("image-4k", "An image of 3840 by 2160 pixels", "render Styles/world-cities.json --viewpoint 48,12,8000000 --size 1920x1080 --pixel-ratio 2 --legend --title \"Cities of Europe\" -o {out}"),
    ("print-300-dpi", "A map at 300 dots per inch", f"{COUNTIES.replace('1000x700', '700x520')} --dpi 300 --title \"Unemployment by county, 2009\" --scale-bar -o {{out}}"),
]
OTHERS = [
    ("names-arabic", "Arabic names", f"render {{made}}/arabic.csv --label name --font {SCRIPTS['arabic']} --title \"مدن عربية\" --basemap arcGISLightGray --size 900x700 -o {{out}}"),
    ("names-hindi", "Hindi names", f"render {{made}}/hindi.csv --label name --font {SCRIPTS['hindi']} --title \"भारत के नगर\" --basemap arcGISLightGray --size 800x800 -o {{out}}"),
    ("names-chinese", "Chinese names", f"render {{made}}/chinese.csv --label name --font {SCRIPTS['chinese']} --title \"中国城市\" --basemap arcGISLightGray --size 900x700 -o {{out}}"),
    ("names-greek", "Greek names", "render {made}/greek.csv --label name --title \"Πόλεις της Ελλάδας\" --basemap arcGISLightGray --size 800x750 -o {out}"),
    ("dashboard", "A dark dashboard",
     f"{CITIES} --definition \"POP > 1000000\" --bounds -20,-40,150,60 --size 1200x700 --size-by POP --label CITY_NAME --basemap arcGISDarkGray --title \"Large cities\" --legend bottom-left -o {{out}}"),
    ("transparent", "A transparent overlay", f"{CITIES} --definition \"POP > 500000\" --bounds -12,35,35,62 --size 900x700 --label CITY_NAME --background none -o {{out}}"),
    ("selection", "A map with selected features", "run {made}/selection.run"),
    ("fifty-rows", "A table of 50 rows", "render {made}/fifty.csv --color-by kind --label town --basemap arcGISLightGray --size 900x750 --legend -o {out}"),
    ("two-layers", "Two layers with their legends in columns", "render {made}/two-layers.json --reference 5070 --fit rates --size 1000x760 --legend bottom --scale-bar -o {out}"),
    ("series-before", "The first image of a series by time", ""),
    ("series-after", "The second image of a series by time",
     "series Styles/san-francisco-incidents.json --filters none --definition \"Incidents: req_type = 'Graffiti'\" --by-time year --time 2010-01-01/2011-12-31 "
     "--viewpoint 37.765,-122.43,60000 --size 700x620 --title \"Graffiti in {start}\" --legend --legend-in-view --legend-counts -o {folder}/series-{start}.png"),
    ("counties-dark", "Choropleth of counties on a dark basemap", f"{COUNTIES} --basemap arcGISDarkGray -o {{out}}"),
    ("counties-grey", "Choropleth of counties over a grey basemap", f"{COUNTIES} --basemap arcGISLightGray -o {{out}}"),
    ("states-light", "Choropleth of states on white", f"{STATES} --label STATE -o {{out}}"),
    ("states-dark", "Choropleth of states on a dark basemap", f"{STATES} --basemap arcGISDarkGray --label STATE -o {{out}}"),
    ("world-light", "Choropleth of the world on white", f"{WORLD} -o {{out}}"),
    ("world-grey", "Choropleth of the world over a grey basemap", f"{WORLD} --basemap arcGISLightGray -o {{out}}"),
]
PRINTS = FIRST + OTHERS
# The series draws two scenes with one command; these are the names of its files.
RENAMED = {"series-before": "series-2010.png", "series-after": "series-2011.png"}

"""Draw the sample maps and write the page that shows them; Scripts/demo runs this from the root of the project.

  python3 Scripts/make/demo_page/page.py TOOL FOLDER
"""
import html
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
MODES = [("none", "No filter"), ("definition", "Definition expression"), ("display", "Display filter")]
# Each document with its title, the layer that the page is about, and a sentence.
MAPS = [
    ("san-francisco-incidents", "Service requests in San Francisco", "Incidents",
     "20,000 made-up requests to the city, in twelve types, over land and water."),
    ("us-counties", "Unemployment by county", "Counties",
     "Six classes of the unemployment rate in 2009, over the states of the United States."),
    ("world-cities", "Cities of the world", "Cities",
     "Size and labels by rank of population, capitals in red. The display filter depends on the scale."),
    ("world-rivers", "Rivers of the world", "Rivers", "Wider and darker by rank, over the bundled basemap."),
]
# More images: a file, a caption, and the options of `mapstate render`.
GALLERY = [
    ("albers", "The same counties in the Albers projection, on the Topographic basemap",
     ["Styles/us-counties.json", "--filters", "none", "--reference", "5070", "--basemap", "arcGISTopographic",
      "--bounds=-120,24,-73,49"]),
    ("rates", "A GeoJSON file without a document, coloured by a field",
     ["Styles/data/us-counties.geojson", "--color-by", "unemployment_rate", "--bounds=-125,24,-66,50"]),
    ("asia", "Rivers on the Dark Gray basemap",
     ["Styles/world-rivers.json", "--filters", "none", "--basemap", "arcGISDarkGray", "--viewpoint", "32,103,40000000"]),
    ("large", "A CSV file, sized by a field and filtered",
     ["Styles/data/world-cities.csv", "--size-by", "POP", "--definition", "POP > 1000000", "--basemap",
      "arcGISLightGray", "--viewpoint", "25,80,60000000"]),
]
COLOUR = ("[238, 165, 123, 255]", "[241, 165, 123, 255]")
CHANGE = 'Counties › 7 to 9 % › fill color: #eea57bff → #f1a57bff'


def say(text):
    print(text, flush=True)


def escape(text):
    return html.escape(str(text), quote=True)


class Demo:
    def __init__(self, tool, folder):
        self.tool, self.folder = tool, folder
        self.images = 0

    def run(self, *arguments, check=True):
        """The output of the tool."""
        done = subprocess.run([self.tool, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        if check and done.returncode != 0:
            sys.exit(done.stderr or f"error: {self.tool} {shlex.join(arguments)} exited with {done.returncode}")
        return done.stdout

    def draw(self, name, *arguments):
        """Draws an image of the page, and returns its file name."""
        self.run("render", *arguments, "-o", str(self.folder / f"{name}.png"))
        self.images += 1
        return f"{name}.png"

    # Parts of the page

    def figure(self, file, size, text, caption=""):
        return (f'<figure><a href="{file}"><img src="{file}" width="{size[0]}" height="{size[1]}" alt="{escape(text)}" '
                f'loading="lazy"></a><figcaption>{caption or escape(text)}</figcaption></figure>')

    def funnel(self, path, layer, mode):
        """The stages of a layer's filters as bars; the count is marked."""
        answer = json.loads(self.run("count", path, "--layer", layer, "--filters", mode, "--funnel", "--format", "json"))
        stages = answer["layers"][0]["funnel"]
        top = max(1, stages["total"])
        rows = "".join(
            f'<tr{" class=count" if name == "extent" else ""}><th scope="row">{name}</th><td>{count:,}</td>'
            f'<td class="bar"><i style="width:{100 * count / top:.1f}%"></i></td></tr>'
            for name, count in stages.items() if count is not None)
        return f'<table class="funnel">{rows}</table>'

    def map(self, name, title, layer, sentence):
        """A section: a document with its filters, legend and the three filter modes."""
        path = f"Styles/{name}.json"
        document = json.loads(pathlib.Path(path).read_text(encoding="utf-8"))
        shutil.copy(path, self.folder / "documents" / f"{name}.json")
        found = next(item for item in document["operationalLayers"] if item["title"] == layer)
        definition = found["layerDefinition"]
        display = self.display_filters(definition)
        figures = ""
        for mode, caption in MODES:
            file = self.draw(f"{name}-{mode}", path, "--filters", mode, "--pixel-ratio", "2")
            absent = {"definition": not definition.get("definitionExpression"), "display": not display}.get(mode)
            note = "<small>This layer has none.</small>" if absent else ""
            figures += self.figure(
                file, (800, 600), f"{title}: {caption.lower()}",
                f"<h3>{caption}{note}</h3>" + self.funnel(path, layer, mode))
        facts = f'<dt>Document</dt><dd><a href="documents/{name}.json">{name}.json</a></dd>'
        if definition.get("definitionExpression"):
            facts += f'<dt>Definition</dt><dd><code>{escape(definition["definitionExpression"])}</code></dd>'
        for where in display:
            facts += f"<dt>Display</dt><dd><code>{escape(where)}</code></dd>"
        return (f'<section class="map" id="{name}"><div class="about"><div><h3>{escape(title)}</h3><p>{escape(sentence)}</p>'
                f"<dl>{facts}</dl></div>{legend(layer, found)}</div>"
                f'<div class="modes">{figures}</div></section>')

    @staticmethod
    def display_filters(definition):
        """The active display filter, or those for ranges of scale."""
        info = definition.get("displayFilterInfo") or {}
        if info.get("filterMode") == "scale":
            return [f'{item["title"]}: {item["where"]}' for item in info["filters"]]
        return [item["where"] for item in info.get("filters", []) if item["id"] == info.get("activeFilterId")]

    def changed_style(self):
        """Changes one colour in a copy of a document, and returns the lines with which the tester names it."""
        say("Changing a colour in a copy of Styles/us-counties.json, and testing it")
        planted = self.folder / "planted"
        shutil.rmtree(planted, ignore_errors=True)
        (planted / "Styles").mkdir(parents=True)
        os.symlink(os.path.abspath("Styles/data"), planted / "Styles/data")
        shutil.rmtree(self.folder / "report", ignore_errors=True)
        shutil.copytree("Snapshots/documents/counties", planted / "Snapshots/documents/counties")
        text = pathlib.Path("Styles/us-counties.json").read_text(encoding="utf-8")
        (planted / "Styles/us-counties.json").write_text(text.replace(*COLOUR), encoding="utf-8")
        lines = self.run(
            "snapshot", "verify", str(planted / "Snapshots"), "--report-dir", str(self.folder / "report"), check=False)
        if CHANGE not in lines:
            sys.exit(f"error: the changed colour was not named: {lines or 'no case differs'}")
        print(lines, end="")
        return lines

    def page(self):
        start = time.monotonic()
        (self.folder / "documents").mkdir(parents=True, exist_ok=True)
        say("Drawing Europe")
        hero = self.draw("europe", "Styles/world-cities.json", "--viewpoint", "50,12,20000000", "--size", "1200x700",
                         "--pixel-ratio", "2")
        say("Drawing Helsinki")
        city = self.draw("helsinki", "Styles/helsinki-bicycles.json", "--basemap", "arcGISStreets", "--tiles",
                         "Styles/tiles/helsinki.pmtiles", "--viewpoint", "60.1678,24.9443,6200", "--size", "1200x700",
                         "--pixel-ratio", "2")
        sections = ""
        for entry in MAPS:
            say(f"Drawing {entry[1]}")
            sections += self.map(*entry)
        gallery = ""
        say("Drawing more views")
        for name, caption, options in GALLERY:
            # The document of a data file is the one that the tool makes for it.
            saved = f"documents/{name}.json"
            saving = [] if options[0].endswith(".json") else ["--save-document", str(self.folder / saved)]
            file = self.draw(name, *options, *saving, "--size", "1000x640", "--pixel-ratio", "2")
            path = self.folder / saved if saving else pathlib.Path(options[0])
            document = json.loads(path.read_text(encoding="utf-8"))
            layer = document["operationalLayers"][-1]
            command = shlex.join(["mapstate", "render", *options, "-o", file])
            gallery += self.figure(
                file, (1000, 640), caption,
                f"<h3>{escape(caption)}</h3><pre><code>{escape(command)}</code></pre>{legend(layer['title'], layer)}")
        seconds = time.monotonic() - start
        lines = self.changed_style()
        report = self.folder / "report/cases/documents/counties"
        pictures = "".join(
            self.figure(f"report/cases/documents/counties/{file}", size(report / file), text)
            for file, text in [("expected.png", "Before: the reference image"), ("reference.png", "After: the changed colour"),
                               ("difference.png", "The pixels that differ")]
            if (report / file).exists())
        cities = json.loads(pathlib.Path("Styles/world-cities.json").read_text(encoding="utf-8"))
        page = PAGE.format(
            style=(HERE / "page.css").read_text(encoding="utf-8"), script=(HERE / "page.js").read_text(encoding="utf-8"),
            hero=self.figure(hero, (1200, 700), "Europe: cities by rank of population, capitals in red"),
            city=self.figure(city, (1200, 700), "Helsinki: free bicycles over vector tiles in the Streets style"),
            legend=legend("Cities", cities["operationalLayers"][0]),
            images=self.images, seconds=f"{seconds:.1f}", version=escape(self.run("--version").strip()),
            sections=sections, gallery=gallery, lines=escape(lines.strip()), pictures=pictures)
        part = self.folder / "index.html.part"
        part.write_text(page, encoding="utf-8")
        for link in sorted(set(re.findall(r'(?:href|src)="([^"#:,]+)"', page))):
            if not (self.folder / link).exists():
                sys.exit(f"error: the page leads to {link}, which does not exist")
        part.rename(self.folder / "index.html")
        say(f"Drew {self.images} images in {seconds:.1f} s. Open {self.folder}/index.html")


def size(path):
    """Width and height of a PNG."""
    head = path.read_bytes()[16:24]
    return int.from_bytes(head[:4], "big"), int.from_bytes(head[4:], "big")


# Legends

def colour(value):
    red, green, blue, alpha = value
    return f"rgb({red} {green} {blue} / {alpha / 255:.3g})"


def swatch(symbol):
    """A symbol of a document as a small SVG: markers, lines and fills in solid colours."""
    scale = 4 / 3  # Pixels of 1/96 inch per point.
    outline = symbol.get("outline") or {}
    if symbol["type"] == "esriSLS":
        width = symbol.get("width", 1) * scale
        shape = (f'<line x1="1" y1="9" x2="27" y2="9" stroke="{colour(symbol["color"])}" stroke-width="{width:.2f}" '
                 'stroke-linecap="round"/>')
    else:
        stroke = ""
        if outline.get("color"):
            stroke = f' stroke="{colour(outline["color"])}" stroke-width="{outline.get("width", 1) * scale:.2f}"'
        fill = f'fill="{colour(symbol["color"])}"{stroke}'
        if symbol["type"] == "esriSFS":
            shape = f'<rect x="1" y="2" width="26" height="14" {fill}/>'
        else:
            shape = f'<circle cx="14" cy="9" r="{min(symbol.get("size", 4) * scale / 2, 8.5):.2f}" {fill}/>'
    return f'<svg width="28" height="18" viewBox="0 0 28 18" aria-hidden="true">{shape}</svg>'


def legend(title, layer):
    """The classes of a layer's renderer with their symbols."""
    renderer = layer["layerDefinition"]["drawingInfo"]["renderer"]
    classes = renderer.get("uniqueValueInfos") or renderer.get("classBreakInfos") or [renderer]
    entries = [(item.get("label") or "All", item["symbol"]) for item in classes]
    if renderer.get("defaultSymbol"):
        entries.append((renderer.get("defaultLabel") or "Other", renderer["defaultSymbol"]))
    items = ""
    for label, symbol in entries:
        items += f"<li>{swatch(symbol)}<span>{escape(label)}</span></li>"
    for variable in renderer.get("visualVariables", []):
        if variable["type"] == "sizeInfo" and "field" in variable:
            stops = variable.get("stops") or [
                {"value": variable["minDataValue"], "size": variable["minSize"]},
                {"value": variable["maxDataValue"], "size": variable["maxSize"]}]
            for stop in [stops[0], stops[-1]]:
                items += (f'<li>{swatch(dict(entries[-1][1], size=stop["size"]))}'
                          f'<span>size: {escape(variable["field"])} {stop["value"]:,}</span></li>')
    return f'<div class="legend"><h4>Legend: {escape(title)}</h4><ul>{items}</ul></div>'


PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>MapState: web maps without a display</title>
<style>
{style}</style>
</head>
<body>
<nav><div><b>MapState</b><a href="#maps">Maps and filters</a><a href="#more">More views</a><a href="#change">A changed style</a><a href="#next">Next steps</a></div></nav>
<main>
<h1>Web maps without a display</h1>
<p class="lead">MapState reads Esri web maps and MapLibre styles, draws them as images, and counts the features that they show. It runs on Linux
without a screen, a browser or an account. <code>Scripts/demo</code> made this page on your machine: all images and numbers
come from the tool <code>mapstate</code> and the sample data of the project.</p>
<ul class="facts"><li><b>{images}</b> images</li><li>drawn and counted in <b>{seconds} s</b></li><li>version <b>{version}</b></li><li>Select an image to enlarge it.</li></ul>
<div class="pairs">{hero}{city}</div>
{legend}

<h2 id="maps">Maps and their filters</h2>
<p>A layer of a web map can have two filters. The <b>definition expression</b> limits the data: features outside it are
neither counted nor drawn. The <b>display filter</b> limits the drawing only: the count stays.</p>
<p>Each map below is drawn without filters, with its definition expression, and with its display filter. The bars show how
many features of the layer remain after each stage. <b>extent</b> is the count in the view. <b>drawn</b> features are in the
image, and <b>edge</b> features reach into it with their symbols.</p>
{sections}

<h2 id="more">More views of the same data</h2>
<p>Each command runs in the root of the project.</p>
<div class="pairs">{gallery}</div>

<h2 id="change">A changed style is found</h2>
<p>Snapshot tests compare a map with a reference image. For this page, the script changed one colour of the counties by 3 of
255 in a copy of the document. The test names the layer, the class and the change:</p>
<pre><code>{lines}</code></pre>
<p>The <a href="report/report.html">report of this test</a> shows both images with a slider. The files are
<a href="planted/Styles/us-counties.json">the changed document</a> and
<a href="planted/Snapshots/documents/counties/case.json">its test case</a>.</p>
<div class="modes">{pictures}</div>

<h2 id="next">Next steps</h2>
<pre><code>Scripts/install ~/.local
mapstate inspect Styles/us-counties.json
mapstate count Styles/data/world-cities.csv --bounds 5,45,15,55
mapstate render YOUR-MAP.json -o map.png</code></pre>
<p>The <code>README.md</code> of the project gives an overview. <code>Scripts/docs</code> builds the guide and the reference of
the Swift library.</p>
<footer><p>Data: counties and states from the U.S. Census Bureau, unemployment rates from the U.S. Bureau of Labor Statistics,
cities from GeoNames (CC BY 4.0), rivers and basemap from Natural Earth. The incidents are made up. <code>Styles/README.md</code>
lists sources and licences.</p></footer>
</main>
<dialog aria-label="Enlarged image"><img alt="" src="data:,"><p></p></dialog>
<script>
{script}</script>
</body>
</html>
"""

if __name__ == "__main__":
    Demo(sys.argv[1], pathlib.Path(sys.argv[2])).page()

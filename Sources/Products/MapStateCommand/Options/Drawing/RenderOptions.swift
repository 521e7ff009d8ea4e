import ArgumentParser
package import MapScript
import MapState
import MapSystem

/// The files that `render` writes.
struct RenderOutput: ParsableArguments {
  @Option(
    name: [.customShort("o"), .customLong("output")],
    help: ArgumentHelp(
      "PNG, JPEG, WebP, SVG or PDF file; - writes PNG to standard output.",
      valueName: "file"),
    completion: .file())
  var image: String
  @Option(
    help: ArgumentHelp("Write extent, scale, feature counts and warnings as JSON.", valueName: "file"),
    completion: .file())
  var report: String?
  @Option(
    help: ArgumentHelp(
      "Write what the image shows: two sentences and a table in Markdown.",
      valueName: "file"),
    completion: .file())
  var describe: String?
  @Flag(help: "List every label in the file of --report: its layer, feature id, text and box in pixels.")
  var listLabels = false
  @Option(
    help: ArgumentHelp("Save the web map made from a plain data file.", valueName: "file"),
    completion: .file())
  var saveDocument: String?
  @Option(
    help: ArgumentHelp(
      "Output pixels per inch, 96 to 384: sets the pixel ratio, and is written in PNG and JPEG.",
      valueName: "number"))
  var dpi: NumberOption?
  @Flag(help: "Write a world file beside a PNG, JPEG or WebP image, with the ending .pgw, .jgw or .wpw.")
  var worldFile = false
  @Flag(help: "In SVG, write text as text in the font Noto Sans; default: as outlines.")
  var svgText = false
  @Flag(help: "In SVG, write the id of each feature as the attribute data-id.")
  var svgIds = false
  @Flag(help: "Draw again when the document or a data file changes, until Ctrl-C.")
  var watch = false

  /// The path of the world file: the first and the last letter of the image's extension, and w.
  var worldFilePath: String {
    let suffix = FilePath.pathExtension(of: image)
    let stem = String(image.dropLast(suffix.count))
    return stem + "\(suffix.prefix(1))\(suffix.suffix(1))w"
  }

  /// Whether the image is made of shapes and not of pixels.
  var isVector: Bool { ["svg", "pdf"].contains(FilePath.pathExtension(of: image)) }

  var svg: SVGOptions {
    var options = SVGOptions()
    (options.writesText, options.writesIDs) = (svgText, svgIds)
    return options
  }

  func validate() throws {
    if listLabels, report == nil {
      throw ValidationError("--list-labels needs --report, the file that gets the list.")
    }
    if let dpi = dpi?.value, !(96...384).contains(dpi) {
      throw ValidationError("--dpi is \(dpi); it must be 96 to 384.")
    }
    for (name, isGiven) in [("--svg-text", svgText), ("--svg-ids", svgIds)]
    where isGiven && FilePath.pathExtension(of: image) != "svg" {
      throw ValidationError("\(name) needs an image with the ending .svg.")
    }
    if worldFile, !["png", "jpg", "jpeg", "webp"].contains(FilePath.pathExtension(of: image)) {
      throw ValidationError("--world-file needs an image with the ending .png, .jpg or .webp.")
    }
    do { try PictureFile.check(image, others: MapPage.extensions) } catch {
      throw ValidationError("-o \(error).")
    }
  }

  /// Refuses options that contradict `--watch`.
  func check(_ map: MapOptions) throws {
    guard watch else { return }
    if image == "-" || map.source == "-" {
      throw ValidationError("--watch needs files as source and output, not standard input or output.")
    }
    if map.reporting.strict { throw ValidationError("--watch contradicts --strict; give one of them.") }
    #if Services
      if map.sources.fetching.exchanges.record != nil {
        throw ValidationError("--watch contradicts --record; give one of them.")
      }
    #endif
  }
}

/// The options for the appearance of the image.
package struct DrawingOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Background colour, or none for transparent; default: the document's, else white.",
      valueName: "color"),
    transform: { try BackgroundOption(text: $0) })
  var background: BackgroundOption?
  @Option(
    help: ArgumentHelp(
      "Basemap: a style (streets: --tiles), a MapLibre style, or tiles: a file, folder or template.",
      valueName: "style|tiles"))
  var basemap: BasemapChoice?
  @Option(
    help: ArgumentHelp(
      "Language of the names on a basemap of vector tiles, such as fi; default: local names.",
      valueName: "code"))
  var basemapLanguage: String?
  @Flag(help: "Draw no basemap.")
  var noBasemap = false
  @Flag(help: "Draw the bundled names of countries, seas and cities over the layers.")
  var basemapNames = false
  @Flag(help: "Draw meridians and parallels below the layers.")
  var graticule = false
  @OptionGroup var cells: CellOptions
  @Option(help: ArgumentHelp("Treatment of tiles that are missing.", valueName: "treatment"))
  var missingTiles = MissingTiles.blank
  @OptionGroup var fonts: FontOptions
  @Option(
    help: ArgumentHelp("Painting method; \"reference\" paints everything with Cairo.", valueName: "painter"))
  var painter = PainterOption.fast

  package init() {}

  /// The drawing that the options request.
  package var request: DrawingRequest {
    var request = DrawingRequest()
    (request.basemap, request.noBasemap, request.basemapNames) = (basemap, noBasemap, basemapNames)
    request.basemapLanguage = basemapLanguage
    (request.graticule, request.background) = (graticule, background.map { $0.color })
    (request.cells, request.missingTiles, request.fonts) = (cells.aggregate, missingTiles, fonts.font)
    request.usesReferencePainter = painter == .reference
    return request
  }

  package func validate() throws {
    if basemap != nil, noBasemap {
      throw ValidationError("--basemap contradicts --no-basemap; give one of them.")
    }
  }
}

/// The cells in which points are counted.
struct CellOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Draw counts of points in cells: pixel or hexagon, or with a size, as in hexagon:24.",
      valueName: "cells"),
    transform: { try CountingCells(text: $0) })
  var aggregate: CountingCells?
}

/// A way to paint the image.
enum PainterOption: String, CaseIterable, ExpressibleByArgument {
  case fast, reference

  var method: PaintingMethod { self == .fast ? .fast : .reference }
}

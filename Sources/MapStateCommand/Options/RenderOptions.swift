import ArgumentParser
import MapState

/// The files that `render` writes.
struct RenderOutput: ParsableArguments {
  @Option(
    name: [.customShort("o"), .customLong("output")],
    help: ArgumentHelp("PNG file to write; - writes to standard output.", valueName: "file"),
    completion: .file())
  var image: String
  @Option(
    help: ArgumentHelp("Write extent, scale, feature counts and warnings as JSON.", valueName: "file"),
    completion: .file())
  var report: String?
  @Flag(help: "List every label in the report: its layer, feature id, text and box in pixels.")
  var listLabels = false
  @Option(
    help: ArgumentHelp("Save the web map made from a plain data file.", valueName: "file"),
    completion: .file())
  var saveDocument: String?

  func validate() throws {
    if listLabels, report == nil {
      throw ValidationError("--list-labels needs --report, the file that gets the list.")
    }
    do { try PictureFile.check(image) } catch { throw ValidationError("-o \(error).") }
  }
}

/// The options for the appearance of the image.
struct DrawingOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Background colour, or none for transparent; default: the document's, else white.",
      valueName: "color"),
    transform: { try BackgroundOption(text: $0) })
  var background: BackgroundOption?
  @Option(help: ArgumentHelp("Basemap.", valueName: "style"))
  var basemap: BasemapOption?
  @Flag(help: "Draw no basemap.")
  var noBasemap = false
  @Option(
    help: ArgumentHelp("Colour the features of a plain data file by a field.", valueName: "field"))
  var colorBy: String?
  @Option(
    help: ArgumentHelp("Size the points or lines of a plain data file by a field.", valueName: "field"))
  var sizeBy: String?
  @Option(help: ArgumentHelp("Label the features of a plain data file by a field.", valueName: "field"))
  var label: String?
  @Option(
    help: ArgumentHelp(
      "Font for labels of its family and for letters that Noto Sans lacks; repeat for more.",
      valueName: "file"),
    completion: .file())
  var font: [String] = []
  @Option(
    help: ArgumentHelp("Painting method; \"reference\" paints everything with Cairo.", valueName: "painter"))
  var painter = PainterOption.fast

  /// Opens the fonts.
  func fonts() throws(MapStateError) -> [FontFile] {
    guard font.count <= FontFile.largestCount else {
      throw MapStateError(
        .usage, "--font is given \(font.count) times; at most \(FontFile.largestCount) fonts are used")
    }
    var fonts: [FontFile] = []
    for path in font { fonts.append(try FontFile(path: path)) }
    return fonts
  }

  func validate() throws {
    if basemap != nil, noBasemap {
      throw ValidationError("--basemap contradicts --no-basemap; give one of them.")
    }
  }
}

/// A way to paint the image.
enum PainterOption: String, CaseIterable, ExpressibleByArgument {
  case fast, reference

  var method: PaintingMethod { self == .fast ? .fast : .reference }
}

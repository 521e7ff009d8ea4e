import ArgumentParser
import MapState

struct RenderCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "render", abstract: "Draw the map to a PNG file.")

  @OptionGroup var map: MapOptions
  @Option(name: [.short, .long], help: ArgumentHelp("The picture to write, .png.", valueName: "file"))
  var output: String
  @Option(help: ArgumentHelp("What lies under everything: a colour or none.", valueName: "color"))
  var background: BackgroundOption?
  @Option(
    help: ArgumentHelp(
      "A basemap instead of the document's: \(BasemapOption.names.joined(separator: ", ")).",
      valueName: "style"))
  var basemap: BasemapOption?
  @Flag(help: "Draw no basemap.")
  var noBasemap = false
  @Option(help: ArgumentHelp("Write extent, scale and funnels as JSON.", valueName: "file"))
  var report: String?
  @Option(help: ArgumentHelp("Colour a plain data file by a field.", valueName: "field"))
  var colorBy: String?
  @Option(help: ArgumentHelp("Size the points or lines of a plain data file by a field.", valueName: "field"))
  var sizeBy: String?
  @Option(help: ArgumentHelp("Label the features of a plain data file with a field.", valueName: "field"))
  var label: String?
  @Option(help: ArgumentHelp("Write the web map made for a plain data file.", valueName: "file"))
  var saveDocument: String?
  @Option(help: ArgumentHelp("Threads that paint; the bytes do not depend on it.", valueName: "n"))
  var threads: Int?
  @Option(
    help: ArgumentHelp("How to paint: fast, or reference, which is Cairo alone.", valueName: "painter"))
  var painter = PainterOption.fast

  func validate() throws {
    do { try PictureFile.check(output) } catch { throw ValidationError("-o \(error).") }
    if basemap != nil, noBasemap {
      throw ValidationError("--basemap and --no-basemap contradict each other; give one of them.")
    }
    if let threads, threads < 1 { throw ValidationError("--threads is \(threads); 1 or more can work.") }
  }

  func run() async throws {
    let names = [colorBy, sizeBy, label].compactMap { $0 }
    // A saved document says which field tells time, as all fields together do.
    var document = try await map.open(saveDocument == nil ? FieldSelection(map, names: names) : .all)
    if let colorBy { document = try await document.colored(by: colorBy) }
    if let sizeBy { document = try await document.sized(by: sizeBy) }
    if let label { document = try document.labelled(by: label) }
    let view = try await map.view(
      of: document, background: background.map { $0.color },
      basemap: noBasemap ? .some(nil) : basemap.map { $0.basemap })
    if background != nil, document.map.basemap != nil {
      StandardError.warn("the basemap's water covers --background; add --no-basemap to see it")
    }
    var state = view.freeze()
    if let index = try map.layerIndex(in: document) { state = state.showing(only: index) }
    let shown = state
    let rendered = try await Progress.showing("drawing") { () async throws(MapError) in
      try await shown.render(threads: threads ?? Processors.count, method: painter.method)
    }
    if document.isPlainData, let layer = rendered.report.layers.first, layer.funnel.scale < layer.funnel.time
    {
      StandardError.warn(
        "layer \"\(layer.name)\" is not drawn at this scale, as its service says; inspect shows its scales")
    }
    for warning in rendered.report.warnings { StandardError.warn(warning) }
    await map.warnOfAnswers(in: document, shown)
    do {
      var files = [(try rendered.bitmap.pngData(), output)]
      if let report {
        files.append((Array((rendered.report.json.text(style: .pretty) + "\n").utf8), report))
      }
      if let saveDocument {
        if let warning = document.folderWarning(savedAt: saveDocument) { StandardError.warn(warning) }
        let json = try document.documentJSON(view: view, savedAt: saveDocument)
        files.append((Array((json.text(style: .pretty) + "\n").utf8), saveDocument))
      }
      try FileAccess.write(files, keeping: document.inputs)
    } catch {
      throw MapError(error)
    }
  }
}

/// How a picture is painted, by name.
enum PainterOption: String, CaseIterable, ExpressibleByArgument {
  case fast, reference

  var method: PaintingMethod { self == .fast ? .fast : .reference }
}

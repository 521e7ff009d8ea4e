import ArgumentParser
import MapState

struct RenderCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "render", abstract: "Draw the map to a PNG file.")

  @OptionGroup var map: MapOptions
  @Option(
    name: [.short, .long],
    help: ArgumentHelp("The image to write, .png; - is standard output.", valueName: "file"))
  var output: String
  @OptionGroup var bounds: ViewBounds
  @Flag(help: "Leave out layers that cannot be read, with a warning.")
  var skipUnavailable = false
  @Option(help: ArgumentHelp("Background colour, or none for transparent.", valueName: "color"))
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
  @Option(help: ArgumentHelp("Colour the features of a plain data file by a field.", valueName: "field"))
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
    help: ArgumentHelp("Painter: fast, or reference, which is Cairo alone.", valueName: "painter"))
  var painter = PainterOption.fast

  func validate() throws {
    try bounds.check(map)
    do { try PictureFile.check(output) } catch { throw ValidationError("-o \(error).") }
    if basemap != nil, noBasemap {
      throw ValidationError("--basemap and --no-basemap contradict each other; give one of them.")
    }
    if let threads, threads < 1 { throw ValidationError("--threads is \(threads); 1 or more can work.") }
  }

  func run() async throws {
    let names = [colorBy, sizeBy, label].compactMap { $0 }
    var choice = map.choice(.visible)
    choice.skipsUnavailable = skipUnavailable
    choice.readsBasemap = !noBasemap && basemap == nil
    // A saved document says which field tells time, as all fields together do.
    var document = try await map.open(
      saveDocument == nil ? FieldSelection(map, names: names) : .all, choice)
    if let colorBy { document = try await document.colored(by: colorBy) }
    if let sizeBy { document = try await document.sized(by: sizeBy) }
    if let label { document = try document.labelled(by: label) }
    var options = map.viewOptions(bounds: bounds.envelope)
    map.warnOfPadding(document, options)
    options.time = map.time?.extent
    options.background = background.map { $0.color }
    options.basemap = noBasemap ? .some(nil) : basemap.map { $0.basemap }
    let view = try await document.view(options)
    if background != nil, document.map.basemap != nil {
      Warnings.add("the basemap's water covers --background; add --no-basemap to see it")
    }
    let shown = view.freeze()
    warnOfOptions(document, shown)
    let rendered = try await Progress.showing("drawing") { () async throws(MapError) in
      try await shown.render(threads: threads ?? Processors.count, method: painter.method)
    }
    for warning in rendered.report.allWarnings { Warnings.add(warning) }
    if let label, let warning = emptyLabelWarning(label, rendered.report) { Warnings.add(warning) }
    await map.warnOfAnswers(in: document, shown)
    do {
      var files = [(try rendered.bitmap.pngData(), output)]
      if let saveDocument {
        if let warning = document.folderWarning(savedAt: saveDocument) { Warnings.add(warning) }
        let json = try document.documentJSON(view: view, savedAt: saveDocument)
        files.append((Array((json.text(style: .pretty) + "\n").utf8), saveDocument))
      }
      if let report {
        let json = rendered.report.json(warnings: Warnings.all)
        files.append((Array((json.text(style: .pretty) + "\n").utf8), report))
      }
      try FileAccess.write(files, keeping: document.inputs)
    } catch {
      throw MapError(error)
    }
  }

  /// A warning for `--label` without a label in the image, which says what became of the labels; nil for some.
  private func emptyLabelWarning(_ field: String, _ report: RenderReport) -> String? {
    let classes = report.labels.classes
    guard classes.reduce(0, { $0 + $1.placed }) == 0 else { return nil }
    let counts = Dictionary(
      classes.flatMap { $0.counts }.map { ($0.name, $0.count) }, uniquingKeysWith: +)
    let reasons = [
      ("collided", "covered by other labels"), ("atEdge", "cut by the image's edge"),
      ("duplicate", "duplicates"), ("overrun", "too large for their areas"), ("empty", "without text"),
    ].compactMap { name, reason in counts[name].flatMap { $0 > 0 ? "\($0) \(reason)" : nil } }
    let reason = reasons.isEmpty ? "no feature in the view can be labelled" : reasons.joined(separator: ", ")
    return "--label \(field) labels nothing: \(reason)"
  }

  /// Warns of options that change nothing in the image.
  private func warnOfOptions(_ document: MapDocument, _ view: ViewState) {
    for item in document.layers
    where map.time != nil && item.unreadReason == nil && item.layer.timeInfo == nil {
      Warnings.add("layer \"\(item.layer.title)\" has no time: --time draws all its features")
    }
    let read = document.layers.indices.filter { document.layers[$0].unreadReason == nil }.map {
      view.layers[$0]
    }
    if let bounds = bounds.envelope, let warning = view.farExtentWarning(bounds, from: read) {
      Warnings.add(warning)
    }
  }
}

/// How a picture is painted, by name.
enum PainterOption: String, CaseIterable, ExpressibleByArgument {
  case fast, reference

  var method: PaintingMethod { self == .fast ? .fast : .reference }
}

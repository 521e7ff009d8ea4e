import ArgumentParser
import MapReaders
import MapScript
import MapState
import MapSystem

struct RenderCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "render", abstract: "Draw a map as a PNG image.",
    usage: "mapstate render <source> -o <file> [<options>]",
    discussion: """
      Draws the visible layers of a web map. A plain data file is drawn as a map with one layer. The same input gives \
      the same bytes in every run. --basemap and --background replace the basemap and the background of the document.

      EXAMPLES:
        mapstate render Styles/us-counties.json -o counties.png
        mapstate render Styles/data/world-cities.csv --color-by POP -o cities.png
        mapstate render Styles/world-cities.json --bounds -10,35,30,60 -o europe.png
      """)

  @OptionGroup(title: HelpGroup.output) var output: RenderOutput
  @OptionGroup(title: HelpGroup.drawing) var drawing: DrawingOptions
  @OptionGroup var map: MapOptions
  @OptionGroup(title: HelpGroup.view) var bounds: ViewBounds
  @OptionGroup(title: HelpGroup.layers) var unavailable: UnavailableLayers
  @OptionGroup(title: HelpGroup.limits) var threads: ThreadOptions

  func validate() throws { try bounds.check(map) }

  func run() async throws {
    let names = [drawing.colorBy, drawing.sizeBy, drawing.label].compactMap { $0 }
    var choice = map.choice(.visible)
    choice.skipsUnavailable = unavailable.areSkipped
    choice.readsBasemap = !drawing.noBasemap && drawing.basemap == nil
    // A saved document names its time field, which is found from all fields alone.
    var document = try await map.open(
      output.saveDocument == nil ? FieldSelection(map, names: names) : .all, choice)
    if let colorBy = drawing.colorBy { document = try await document.colored(by: colorBy) }
    if let sizeBy = drawing.sizeBy { document = try await document.sized(by: sizeBy) }
    if let label = drawing.label { document = try document.labelled(by: label) }
    var request = map.request(bounds: bounds.envelope)
    map.warnOfPadding(document, request)
    request.background = drawing.background.map { $0.color }
    request.basemap = drawing.noBasemap ? .some(nil) : drawing.basemap.map { $0.style }
    let view = try await document.view(request)
    if drawing.background != nil, document.map.basemap != nil {
      Warnings.add("the basemap hides --background; add --no-basemap to see it")
    }
    let shown = view.freeze()
    warnOfOptions(document, shown)
    let rendered = try await Progress.showing("drawing") { () async throws(MapStateError) in
      try await shown.render(threads: threads.count, method: drawing.painter.method)
    }
    for warning in rendered.report.allWarnings { Warnings.add(warning) }
    if let label = drawing.label, let warning = emptyLabelWarning(label, rendered.report) {
      Warnings.add(warning)
    }
    await map.warnOfAnswers(in: document, shown)
    do {
      var files = [(try rendered.bitmap.pngData(), output.image)]
      if let saveDocument = output.saveDocument {
        if let warning = document.folderWarning(savedAt: saveDocument) { Warnings.add(warning) }
        let json = try document.documentJSON(view: view, savedAt: saveDocument)
        files.append((Array((json.text(style: .pretty) + "\n").utf8), saveDocument))
      }
      if let report = output.report {
        let json = rendered.report.json(warnings: Warnings.all, losses: document.losses)
        files.append((Array((json.text(style: .pretty) + "\n").utf8), report))
      }
      try FileAccess.write(files, keeping: document.inputs)
    } catch {
      throw MapStateError(error)
    }
  }

  /// A warning with the reasons if `--label` draws no label; nil if it draws one.
  private func emptyLabelWarning(_ field: String, _ report: RenderReport) -> String? {
    let classes = report.labels.classes
    guard classes.reduce(0, { $0 + $1.placed }) == 0 else { return nil }
    let counts = Dictionary(
      classes.flatMap { $0.counts }.map { ($0.name, $0.count) }, uniquingKeysWith: +)
    let reasons = [
      ("collided", "covered by other labels"), ("atMarker", "covering markers"),
      ("atEdge", "cut by the image's edge"),
      ("duplicate", "duplicates"), ("overrun", "too large for their areas"), ("empty", "without text"),
    ].compactMap { name, reason in counts[name].flatMap { $0 > 0 ? "\($0) \(reason)" : nil } }
    let reason = reasons.isEmpty ? "no feature in the view can be labelled" : reasons.joined(separator: ", ")
    return "--label \(field) draws no label: \(reason)"
  }

  /// Warns of options that do not change the image.
  private func warnOfOptions(_ document: MapDocument, _ view: ViewState) {
    for item in document.layers
    where map.filters.time != nil && item.unreadReason == nil && item.layer.timeInfo == nil {
      Warnings.add("layer \"\(item.layer.title)\" has no time field: --time does not apply to it")
    }
    let read = document.layers.indices.filter { document.layers[$0].unreadReason == nil }.map {
      view.layers[$0]
    }
    if let bounds = bounds.envelope, let warning = view.farExtentWarning(bounds, from: read) {
      Warnings.add(warning)
    }
  }
}

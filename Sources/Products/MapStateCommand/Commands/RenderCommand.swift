import ArgumentParser
import MapReaders
import MapScript
import MapState
import MapSystem

struct RenderCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "render", abstract: "Draw a map as an image.",
    usage: "mapstate render <source> -o <file> [<options>]",
    discussion: """
      Draws the visible layers of a web map. A plain data file is drawn as a map with one layer. The same input gives \
      the same bytes in every run. --basemap and --background replace the basemap and the background of the document.

      EXAMPLES:
        mapstate render Styles/us-counties.json -o counties.png
        mapstate render Styles/data/us-counties.geojson -o rates.png \\
          --color-by unemployment_rate --classes 6 --ramp viridis
        mapstate render Styles/us-counties.json -o report.svg --legend --scale-bar
        mapstate render Styles/world-cities.json --bounds -10,35,30,60 -o europe.png
        mapstate render Styles/us-counties.json -o counties.png --watch
      """)

  @OptionGroup(title: HelpGroup.output) var output: RenderOutput
  @OptionGroup(title: HelpGroup.drawing) var drawing: DrawingOptions
  @OptionGroup(title: HelpGroup.style) var style: StyleOptions
  @OptionGroup(title: HelpGroup.layout) var layout: LayoutOptions
  @OptionGroup var map: MapOptions
  @OptionGroup(title: HelpGroup.filters) var conditions: ConditionOptions
  @OptionGroup(title: HelpGroup.view) var bounds: ViewBounds
  @OptionGroup(title: HelpGroup.view) var zoom: ZoomOption
  @OptionGroup(title: HelpGroup.layers) var unavailable: UnavailableLayers
  @OptionGroup(title: HelpGroup.limits) var threads: ThreadOptions

  func validate() throws {
    try bounds.check(map)
    try zoom.check(map, bounds: bounds.envelope != nil)
    try output.check(map)
    if drawing.cells.aggregate != nil {
      if output.saveDocument != nil {
        throw ValidationError("--save-document contradicts --aggregate, which a web map cannot store.")
      }
      if output.svgIds {
        throw ValidationError("--svg-ids contradicts --aggregate, whose cells are not features.")
      }
      if style.request.anyLabel != nil {
        throw ValidationError("--label contradicts --aggregate, which draws no features to label.")
      }
    }
    if output.dpi != nil, map.shape.pixelRatio != 1 {
      throw ValidationError("--dpi contradicts --pixel-ratio; give one of them.")
    }
  }

  func run() async throws {
    var files = WatchedFiles()
    files.add([map.source] + [map.sources.data, map.sources.services].compactMap { $0 })
    files.add(try await draw())
    while output.watch {
      Warnings.printFolded()
      try await files.waitForChange()
      Warnings.removeAll()
      do {
        files.add(try await draw())
        StandardError.note("drawn again: \(output.image)")
      } catch let error as MapStateError {
        // The next change may mend it.
        StandardError.report(error)
      }
    }
  }

  /// Draws the image, and returns the files that it was made from.
  private func draw() async throws -> [String] {
    var run = RunReport()
    let style = style.request
    var choice = map.choice(.visible)
    choice.skipsUnavailable = unavailable.areSkipped
    choice.readsBasemap = !drawing.noBasemap && drawing.basemap == nil
    // A saved document names its time field, which is found from all fields alone.
    let (fonts, catalog) = (try drawing.fonts.fonts(), try map.sources.catalog())
    var document = try await map.open(
      output.saveDocument == nil && !layout.request.insets.contains(where: \.needsTexts)
        ? FieldSelection(map, style, names: conditions.fieldNames) : .all, choice,
      fonts: fonts,
      // Without an extent, most of the rows are drawn. Legends classify all rows.
      indexUse: bounds.envelope != nil && layout.request.legend == nil ? .answering : .none,
      takesTiles: true, catalog: catalog)
    document = try await map.styled(
      document, style, for: map.request(bounds: bounds.envelope, conditions: conditions.clauses), fonts: fonts
    )
    document.map.fonts = fonts
    var request = map.request(
      bounds: bounds.envelope, zoom: zoom.value, conditions: conditions.clauses)
    let dotsPerInch = request.applyMedium(dotsPerInch: output.dpi?.value)
    map.warnOfDrawing(document, request, style)
    var drawn = drawing.request
    // They were opened before, because the warnings of the document depend on them.
    drawn.fonts = []
    try await drawn.apply(to: document, &request, catalog: catalog)
    map.sources.warnOfUnusedTiles([document])
    for warning in document.basemapWarnings { Warnings.add(warning) }
    for warning in layout.request.warnings { Warnings.add(warning) }
    let (page, view) = try await document.page(request, layout.request.layout())
    let shown = page.map
    if drawing.background != nil,
      let warning = shown.backgroundWarning("--background", remedy: "add --no-basemap to see it")
    {
      Warnings.add(warning)
    }
    for warning in document.colorWarnings(in: shown) { Warnings.add(warning) }
    warnOfOptions(document, shown)
    let rendered = try await Progress.showing("drawing") { () async throws(MapStateError) in
      try await (output.report == nil ? page : page.countingClasses()).render(
        for: output.image, threads: threads.count, method: drawing.painter.method)
    }
    for warning in rendered.report.allWarnings { Warnings.add(warning) }
    for note in rendered.report.allNotes { Warnings.note(note) }
    for layer in rendered.report.layers {
      if let cells = layer.cells { Warnings.note("layer \"\(layer.name)\" \(cells.note)") }
    }
    if let label = style.anyLabel, let warning = emptyLabelWarning(label, rendered.report) {
      Warnings.add(warning)
    }
    await map.warnOfAnswers(in: document, shown)
    do {
      let image = try await page.fileBytes(
        for: output.image, rendered, svg: output.svg, dotsPerInch: dotsPerInch)
      var files = [(image, output.image)]
      if output.worldFile {
        files.append((Array(page.worldFile.utf8), output.worldFilePath))
      }
      if let describe = output.describe {
        files.append((Array("\(try await page.describe())\n".utf8), describe))
      }
      if let saveDocument = output.saveDocument {
        if !map.sources.tables.join.isEmpty {
          Warnings.add("\(saveDocument) does not hold the joined columns; open it with the same --join")
        }
        if let warning = document.folderWarning(savedAt: saveDocument) { Warnings.add(warning) }
        let json = try document.documentJSON(view: view, savedAt: saveDocument)
        files.append((Array((json.text(style: .pretty) + "\n").utf8), saveDocument))
      }
      if let report = output.report {
        for (bytes, path) in files { run.add(bytes, at: path) }
        let json = run.adding(
          to: Warnings.noting(
            rendered.report.json(
              warnings: Warnings.all, listsLabels: output.listLabels, losses: document.losses,
              members: document.members)), inputs: document.inputs)
        files.append((Array((json.text(style: .pretty) + "\n").utf8), report))
      }
      try FileAccess.write(files, keeping: document.inputs)
    } catch {
      throw MapStateError(error)
    }
    return document.inputs
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
      ("duplicate", "duplicates"), ("overrun", "too large for their lines or areas"),
      ("coversArea", "larger than their areas"), ("empty", "without text"),
    ].compactMap { name, reason in counts[name].flatMap { $0 > 0 ? "\($0) \(reason)" : nil } }
    let reason = reasons.isEmpty ? "no feature in the view can be labelled" : reasons.joined(separator: ", ")
    return "--label \(field) draws no label: \(reason)"
  }

  /// Warns of options that do not change the image.
  private func warnOfOptions(_ document: MapDocument, _ view: ViewState) {
    warnOfDrawing(document, view)
    let read = document.layers.indices.filter { document.layers[$0].unreadReason == nil }.map {
      view.layers[$0]
    }
    if let bounds = bounds.envelope, let warning = view.farExtentWarning(bounds, from: read) {
      Warnings.add(warning)
    }
  }
}

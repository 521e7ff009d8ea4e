import MapDrawing
import MapImages
import MapJSON
public import MapLayout
import MapModel
public import MapState
import MapSystem

/// The steps that draw images, and compare images and counts with expected ones.
extension MapSession {
  mutating func render(_ step: JSONNode) async throws(MapStateError) -> [(String, JSONValue)] {
    let (document, view) = try current()
    let output = try MapStateError.reading {
      returnsData ? try step.string("output") : try step.required("output").string()
    }
    var svg = SVGOptions()
    (svg.writesText, svg.writesIDs) = try MapStateError.reading {
      (try step.boolean("svgText") ?? false, try step.boolean("svgIds") ?? false)
    }
    let cells = try self.cells(step)
    guard cells == nil || !svg.writesIDs else {
      throw MapStateError(.usage, "\"svgIds\" contradicts \"aggregate\", whose cells are not features")
    }
    for name in ["svgText", "svgIds"] where try MapStateError.reading({ try step.boolean(name) ?? false }) {
      guard let output, FilePath.pathExtension(of: output) == "svg" else {
        throw MapStateError(.usage, "\"\(name)\" needs an \"output\" with the ending .svg")
      }
    }
    let frozen = try Self.magnified(view.freeze().counting(in: cells), step)
    guard let output else {
      guard step["worldFile"] == nil, step["saveDocument"] == nil else {
        throw MapStateError(.usage, "\"worldFile\" and \"saveDocument\" need an \"output\"")
      }
      let shown = try await drawnPage(of: frozen, cells)
      let rendered = try await shown.render(threads: threads, method: drawing.method)
      data = try await shown.fileBytes(for: "image.png", rendered, dotsPerInch: dotsPerInch)
      return [("report", try report(of: rendered, step))] + (try await description(of: shown, step))
    }
    try PictureFile.check(output, others: MapPage.extensions)
    // Answers are written to standard output, so an image must not go there under any name.
    guard output != "-", !FileAccess.isStream(output) else {
      throw MapStateError(.usage, "\(output): standard output carries the answers; write the image to a file")
    }
    let shown = try await drawnPage(of: frozen, cells)
    let rendered = try await shown.render(for: output, threads: threads, method: drawing.method)
    do {
      let image = try await shown.fileBytes(for: output, rendered, svg: svg, dotsPerInch: dotsPerInch)
      var files = [(image, output)]
      if let worldFile = try step.string("worldFile") {
        files.append((Array(shown.worldFile.utf8), worldFile))
      }
      if let saved = try step.string("saveDocument") {
        let json = try document.documentJSON(view: view, savedAt: saved)
        files.append((Array((json.text(style: .pretty) + "\n").utf8), saved))
      }
      try FileAccess.write(files, keeping: document.inputs)
    } catch {
      throw MapStateError(error)
    }
    return [("report", try report(of: rendered, step))] + (try await description(of: shown, step))
  }

  /// Returns a view with the output pixels per view pixel that a step asks for.
  private static func magnified(_ view: ViewState, _ step: JSONNode) throws(MapStateError) -> ViewState {
    guard let ratio = try MapStateError.reading({ try step.double("pixelRatio") }) else { return view }
    _ = try MapView.pictureSize(width: view.width, height: view.height, pixelRatio: ratio)
    return view.resized(width: view.width, height: view.height, pixelRatio: ratio)
  }

  /// Returns the report of an image, with its labels if the step asks for them.
  private func report(of rendered: RenderedMap, _ step: JSONNode) throws(MapStateError) -> JSONValue {
    guard try MapStateError.reading({ try step.boolean("listLabels") ?? false }) else {
      return rendered.report.json
    }
    return rendered.report.json(warnings: rendered.report.allWarnings, listsLabels: true)
  }

  /// Returns the cells in which a step counts points; nil for symbols.
  private func cells(_ step: JSONNode) throws(MapStateError) -> CountingCells? {
    guard step["aggregate"] != nil else { return drawing.cells }
    return try step["aggregate"].map { node throws(MapStateError) in
      try node.decoding { try CountingCells($0) }
    }
  }

  /// Returns the description of an image if the step asks for it.
  private func description(
    of page: MapPage, _ step: JSONNode
  ) async throws(MapStateError) -> [(String, JSONValue)] {
    guard try MapStateError.reading({ try step.boolean("describe") ?? false }) else { return [] }
    return [("description", try await page.describe().json)]
  }

  /// Returns the page of the open map as it is drawn now, and its layout.
  ///
  /// - Throws: `MapStateError`, also if no map is open.
  public func drawnPage() async throws(MapStateError) -> (page: MapPage, layout: PageLayout) {
    let view = try current().view
    return (try await drawnPage(of: view.freeze().counting(in: drawing.cells), drawing.cells), page.layout)
  }

  /// Returns the page of a view, whose size is that of the map.
  private func drawnPage(of state: ViewState, _ cells: CountingCells?) async throws(MapStateError) -> MapPage
  {
    let document = try current().document
    let layout = try await document.placingInsets(of: page.layout, in: state)
    let drawn = try await MapPage(layout, width: page.size.width, height: page.size.height) { width, height in
      state.resized(width: width, height: height)
    }
    return try document.addingInsets(to: drawn, cells: cells)
  }

  func expect(_ step: JSONNode) async throws(MapStateError) -> [(String, JSONValue)] {
    let (document, view) = try current()
    let asked = try MapStateError.reading {
      (
        count: try step["count"].map { try Expectation($0) },
        drawn: try step["drawn"].map { try Expectation($0) },
        image: try step.string("image")
      )
    }
    guard asked.count != nil || asked.drawn != nil || asked.image != nil else {
      throw MapStateError(.input, "an expect step needs \"count\", \"drawn\" or \"image\"")
    }
    let (state, cells) = (view.freeze(), try self.cells(step))
    guard step["aggregate"] == nil || asked.image != nil else {
      throw MapStateError(.input, "\"aggregate\" needs \"image\", because it describes the image")
    }
    var found: [(String, JSONValue)] = []
    if asked.count != nil || asked.drawn != nil {
      var options = CountOptions()
      options.layers = [try document.layerIndex(ViewRequest(step, ["layer", "only"]))]
      options.question = try question(step).question
      options.funnel = true
      guard let layer = try await state.counts(options).layers.first, let funnel = layer.funnel else {
        return []
      }
      let failure =
        asked.count?.failure("a count of", layer.count) ?? asked.drawn?.failure("drawn", funnel.drawn)
      if let failure { throw MapStateError(.expectation, "layer \"\(layer.name)\": \(failure)") }
      found = [("count", .number(layer.count)), ("drawn", .number(funnel.drawn))]
    }
    if let image = asked.image { try await compare(state, cells, with: image) }
    return found
  }

  private func compare(
    _ state: ViewState, _ cells: CountingCells?, with image: String
  ) async throws(MapStateError) {
    let inFolder = FilePath.join(folder, image)
    let reference: Bitmap
    do {
      reference = try Bitmap(pngData: FileAccess.read(FileAccess.exists(inFolder) ? inFolder : image))
    } catch {
      throw MapStateError(.input, error is FileError ? "\(error)" : "\(image): \(error)")
    }
    let actual = try await drawnPage(of: state.counting(in: cells), cells).render(threads: threads).bitmap
    switch ImageComparison(expected: reference, actual: actual, tolerance: 1) {
    case .same: return
    case .differs(let difference):
      throw MapStateError(
        .expectation, "\(image): \(difference.differing) pixels differ, by up to \(difference.largest)")
    case .sizeDiffers(let expected, let actual):
      throw MapStateError(.expectation, "\(image): size is \(expected), the rendered image is \(actual)")
    }
  }
}

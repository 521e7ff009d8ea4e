import MapBasemap
import MapDrawing
import MapFeatures
import MapGeometry
import MapModel
import MapSystem

#if Labels
  import MapText
  import Synchronization
#endif

/// The fonts and the library that shape and measure text.
enum TextEngine {
  #if Labels
    /// The measurer of the fonts that were used last.
    private static let last = Mutex<(fonts: [FontFile], measurer: TextMeasurer)?>(nil)
  #endif

  /// Returns the measurer of the bundled fonts and some of the user; nil without the trait Labels.
  static func measurer(_ fonts: [FontFile]) -> TextMeasurer? {
    #if Labels
      guard !fonts.isEmpty else { return .notoSans }
      return last.withLock { last in
        if let last, last.fonts == fonts { return last.measurer }
        let measurer = TextMeasurer(fonts: fonts)
        last = (fonts, measurer)
        return measurer
      }
    #else
      return nil
    #endif
  }

  /// The measurer of the bundled fonts; nil without the trait Labels.
  static var measurer: TextMeasurer? {
    #if Labels
      .notoSans
    #else
      nil
    #endif
  }

  /// Returns a line about characters without a glyph; nil for none.
  static func missingGlyphs(_ scalars: [Unicode.Scalar]) -> String? {
    guard !scalars.isEmpty else { return nil }
    let some = scalars.prefix(20).map { "\"\($0)\"" }.joined(separator: ", ")
    let more = scalars.count > 20 ? " and \(scalars.count - 20) more" : ""
    return "no glyph for \(some)\(more) in the fonts; boxes are drawn instead"
  }

  /// The name and version of the library that shapes text; nil without the trait Labels.
  static var libraryVersion: (name: String, version: String)? {
    #if Labels
      ("harfbuzz", TextMeasurer.libraryVersion)
    #else
      nil
    #endif
  }
}

/// The possible labels of a view, and the symbols that they avoid.
struct LabelInput {
  var candidates: [LabelCandidates] = []
  /// Nil when no layer shows labels.
  var obstacles: LabelObstacles?
}

extension ViewState {
  /// Returns the labels of a view before any layer is drawn, which avoid some rectangles in output pixels.
  func newLabels(avoiding covered: [Envelope] = []) -> LabelInput {
    let shown = layers + ownBasemapLayers.map(\.layer)
    let isLabelled =
      TextEngine.measurer != nil
      && shown.contains { showsLabels($0) || aggregation(of: $0)?.labelDefinitions.isEmpty == false }
    guard isLabelled else { return LabelInput() }
    var obstacles = LabelObstacles(self)
    for box in covered { obstacles.add(covered: box) }
    return LabelInput(obstacles: obstacles)
  }

  /// Adds the drawing of a layer of the basemap's style to what labels avoid; names of waters keep off its land.
  func avoid(_ drawing: DisplayLayer, of layer: LayerState, in labels: inout LabelInput) {
    labels.obstacles?.add(drawing, labelledBy: nil)
    guard layer.id == BundledBasemap.landID,
      ownBasemapLayers.contains(where: { $0.layer.id == BasemapNames.layerID })
    else { return }
    labels.obstacles?.add(land: drawing)
  }

  /// Adds a layer's symbols and the label candidates of its classes.
  ///
  /// - Throws: ``MapStateError``.
  func addLabels(
    of layer: LayerState, index: Int, drawing: LayerDrawing, to labels: inout LabelInput
  ) async throws(MapStateError) {
    var candidates = try await labelCandidates(of: layer, index: index, drawing: drawing)
    if let clusters = drawing.clusters {
      candidates += try await labelCandidates(
        of: clusters.layer, index: index,
        drawing: LayerDrawing(
          layer: drawing.layer, drawn: clusters.inView, edge: RowSet(rowCount: clusters.inView.rowCount)))
    }
    labels.obstacles?.add(
      drawing.layer,
      labelledBy: showsLabels(layer) || drawing.clusters.map { showsLabels($0.layer) } ?? false
        ? candidates : nil)
    labels.candidates += candidates
  }

  /// Returns the label candidates of a layer's classes for its drawing; none if labels are disabled.
  ///
  /// - Throws: ``MapStateError``.
  private func labelCandidates(
    of layer: LayerState, index: Int, drawing: LayerDrawing
  ) async throws(MapStateError) -> [LabelCandidates] {
    let shown = layer.labelDefinitions.indices.filter {
      layer.labelDefinitions[$0].isShown(atScale: viewpoint.scale)
    }
    guard layer.labelsAreEnabled, TextEngine.measurer != nil, !shown.isEmpty,
      layer.source.schema.geometryKind != nil
    else { return [] }
    return try await naming(layer) {
      let features = try await layer.source.whole()
      let table = try features.shownColumns(on: spatialReference)
      var symbols: LabelledSymbols?
      return try shown.map { classIndex in
        var asked = conditions(for: layer)
        asked.$labelWhere = layer.labelDefinitions[classIndex].$whereClause
        var rows = try features.rows(asked.query(for: .labels))
        // Not rows without a symbol; a transparent symbol has labels.
        rows.formIntersection(drawing.inView)
        let needsSymbols =
          table.geometry?.kind != .polygon || layer.labelDefinitions[classIndex].followsGround
        if symbols == nil, !rows.isEmpty, needsSymbols {
          symbols = try LabelledSymbols(
            view: self, layer: layer, table: table, rows: drawing.inView,
            measurer: TextEngine.measurer(fonts))
        }
        return try LabelCandidates(
          view: self, layer: layer, index: index, classIndex: classIndex, table: table, rows: rows,
          drawn: symbols)
      }
    }
  }

  /// Returns warnings about features of a layer without an image in the map's spatial reference.
  package func placeWarnings(of layer: LayerState) async throws(MapStateError) -> [String] {
    guard !spatialReference.isBuiltIn else { return polarWarnings(of: layer) }
    let shown = try await naming(layer) { try await layer.source.whole().shownColumns(on: spatialReference) }
    return shown.warnings.filter { !layer.source.warnings.contains($0) }
  }

  /// Returns a warning about features in degrees beyond the latitudes of Web Mercator.
  private func polarWarnings(of layer: LayerState) -> [String] {
    let limit = WebMercator.latitudeLimit
    guard spatialReference == .webMercator, layer.source.schema.spatialReference == .wgs84,
      layer.source.extent.yMax > limit || layer.source.extent.yMin < -limit
    else { return [] }
    let geometry = layer.source.inMemory?.columns().geometry
    let count =
      geometry.map { geometry in
        (0..<geometry.rowCount).count { row in
          let box = geometry.envelope(ofRow: row)
          return box.yMin > limit || box.yMax < -limit
        }
      } ?? (layer.source as? PartlyReadSource)?.pieces?.polarRowCount ?? 0
    guard count > 0 else { return [] }
    return [
      "\(count) \(count == 1 ? "feature lies" : "features lie") beyond 85.05 degrees of latitude: no view in Web "
        + "Mercator shows or counts \(count == 1 ? "it" : "them")"
    ]
  }

  /// Returns the labels of all layers, placed together; nil without the trait Labels.
  ///
  /// - Parameter watched: a feature, by layer and row, whose placement results are kept.
  func labels(
    _ input: LabelInput, watching watched: (layerIndex: Int, row: Int)? = nil
  ) -> LabelDrawing? {
    TextEngine.measurer(fonts).map {
      LabelPlacement.labels(
        of: input.candidates, avoiding: input.obstacles, view: self, measurer: $0, watching: watched)
    }
  }

  /// Returns warnings about the labels of all layers that are not drawn, one per line.
  func labelWarnings(_ report: LabelReport?) -> [String] {
    guard let report else {
      return layers.contains(where: showsLabels)
        ? ["labels are not drawn: this build has no fonts (package trait Labels)"] : []
    }
    let problems = (TextEngine.missingGlyphs(report.missingGlyphs).map { [$0] } ?? []) + report.problems
    return report.failures + problems.map { "labels: \($0)" }
  }

  /// Returns warnings about a layer's symbols that are not drawn.
  func symbolWarnings(of layer: LayerState, missingGlyphs: [Unicode.Scalar] = []) -> [String] {
    let symbols = layer.renderer.classSymbols + (layer.renderer.defaultSymbol.map { [$0] } ?? [])
    let simple = symbols.flatMap(\.simpleParts)
    var warnings: [String] = []
    if TextEngine.measurer == nil, simple.contains(where: { if case .text = $0 { true } else { false } }) {
      warnings.append("text symbols are not drawn: this build has no fonts (package trait Labels)")
    }
    let errors = Set(
      simple.compactMap { symbol -> String? in
        guard case .picture(let picture) = symbol, case .failure(let error) = picture.picture else {
          return nil
        }
        return "\(error)"
      })
    warnings += errors.sorted().map { "an image cannot be drawn: \($0); the default symbol is drawn instead" }
    return warnings + (TextEngine.missingGlyphs(missingGlyphs).map { ["text symbols: \($0)"] } ?? [])
  }

  /// The warnings about a basemap style at a scale that it is not made for, and about streets that it does not have.
  var basemapWarnings: [String] {
    guard let style = basemap?.style, streetCover.map({ $0 == OpenedStreets.Cover.none }) ?? true else {
      return []
    }
    let limit = BundledBasemap.largestScale
    let advice = basemap?.streets == nil ? "; --tiles names vector tiles that go on" : ""
    var warnings: [String] = []
    if viewpoint.scale < limit {
      warnings.append(
        "basemap: the bundled data are made for 1:1,000,000 and smaller scales; at 1:"
          + "\(Self.grouped(viewpoint.scale)) its lines are off by up to "
          + "\(Int(clamping: (limit / viewpoint.scale).rounded(.up))) pixels\(advice)")
    }
    let hasStreets = basemap?.streets != nil
    if style == .arcGISStreets || style == .arcGISNavigation, !hasStreets,
      viewpoint.scale < Self.smallestStreetScale
    {
      warnings.append("basemap: \(style) shows no streets; --tiles names vector tiles that have them")
    }
    return warnings
  }

  /// The part of the view that tiles of streets cover; nil without tiles, and at scales at which they are not drawn.
  private var streetCover: OpenedStreets.Cover? {
    guard let streets = basemap?.streets, streets.areDrawn(atScale: viewpoint.scale) else { return nil }
    return streets.cover(of: extent)
  }

  /// The notes on a basemap: that tiles of streets do not cover the view.
  var basemapNotes: [String] {
    guard let streets = basemap?.streets, let cover = streetCover, cover != .all else { return [] }
    let what = cover == .none ? "lie outside the view" : "end inside the view"
    return [
      "basemap: the tiles of \(streets.name) \(what); the bundled basemap, made for 1:1,000,000, goes on there"
    ]
  }

  /// The denominator of the smallest scale at which maps of streets show motorways.
  private static let smallestStreetScale = 10_000_000.0

  /// Returns a whole number with commas between thousands.
  static func grouped(_ number: Double) -> String {
    let digits = Array("\(Int(clamping: number.rounded()))")
    return digits.indices.map { (digits.count - $0) % 3 == 0 && $0 > 0 ? ",\(digits[$0])" : "\(digits[$0])" }
      .joined()
  }

  /// Returns warnings about deviations in drawing a basemap's own layer.
  func warnings(ofBasemapLayer layer: LayerState) -> [String] {
    let warnings = layer.source.warnings + symbolWarnings(of: layer)
    return warnings.map { "basemap layer \"\(layer.name)\": \($0)" }
  }

  func showsLabels(_ layer: LayerState) -> Bool {
    layer.labelsAreEnabled && layer.isShown(atScale: viewpoint.scale)
      && layer.labelDefinitions.contains { $0.isShown(atScale: viewpoint.scale) }
  }
}

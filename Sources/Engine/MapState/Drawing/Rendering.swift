import MapCairo
public import MapDrawing
import MapGeometry
public import MapImages
public import MapModel

/// An image of a map with its report.
public struct RenderedMap: Sendable {
  /// The image.
  public let bitmap: Bitmap
  /// The report: extent, scale, and the number of features of each layer by stage.
  public let report: RenderReport
}

extension ViewState {
  /// Draws the view.
  ///
  /// The order is: basemap, layers, the basemap's reference layers, overlays, labels. Each layer is queried, painted and
  /// released before the next; with several threads, the next one is made while it is painted. Only a view with labels
  /// and with symbols of styles keeps all layers until the labels are placed. The bytes of the image do not depend on
  /// the number of threads. A cancelled task stops while it paints a layer, or before the next step of
  /// drawing it.
  ///
  /// - Throws: ``MapStateError``.
  public func render(
    threads: Int = 1, method: PaintingMethod = .fast
  ) async throws(MapStateError) -> RenderedMap {
    try await render(threads: threads, method: method, covered: [])
  }

  /// Draws the view as a part of a larger image.
  ///
  /// Symbols of styles are placed in a larger view, so that neighbouring parts differ at most near their sides.
  ///
  /// - Parameter labels: labels that were placed before, see ``placedLabels()``; nil places them.
  package func renderPart(
    threads: Int = 1, labels: [DisplayLayer]? = nil
  ) async throws(MapStateError) -> RenderedMap {
    let margin = Int(clamping: (Self.partMargin * pixelRatio).rounded(.up))
    return try await render(
      threads: threads, method: .fast, covered: [], placed: labels, symbolMargin: margin)
  }

  /// The view pixels around a part of an image in which symbols are placed, too.
  ///
  /// - Source: design decision; about the length of a long name, and more than the padding of MapLibre, 100 pixels.
  private static let partMargin = 256.0

  /// Draws the view, with labels that avoid some rectangles in output pixels.
  ///
  /// - Parameters:
  ///   - placed: the labels; nil places them.
  ///   - above: layers of the page, which are painted over all others.
  ///   - symbolMargin: the output pixels around the view in which symbols of styles are placed, too.
  func render(
    threads: Int, method: PaintingMethod, covered: [Envelope], placed: [DisplayLayer]? = nil,
    above: [DisplayLayer] = [], symbolMargin: Int = 0
  ) async throws(MapStateError) -> RenderedMap {
    guard width > 0 else {
      throw MapStateError(.usage, "the view has no size, so it draws nothing; call resize first")
    }
    let stop = PaintingStop()
    let work = DrawingWork(
      threads: threads, method: method, covered: covered, placed: placed, above: above,
      symbolMargin: symbolMargin, stop: stop)
    do {
      return try await withTaskCancellationHandler {
        try await render(work)
      } onCancel: {
        stop.give()
      }
    } catch {
      throw MapStateError(error)
    }
  }

  /// The parameters of drawing a view.
  private struct DrawingWork: Sendable {
    let threads: Int
    let method: PaintingMethod
    let covered: [Envelope]
    let placed: [DisplayLayer]?
    let above: [DisplayLayer]
    let symbolMargin: Int
    let stop: PaintingStop
  }

  private func render(_ work: DrawingWork) async throws -> RenderedMap {
    let painter = try CairoPainter(
      width: pictureWidth, height: pictureHeight, background: canvasColor, isCut: cuts, threads: work.threads,
      method: work.method, stop: work.stop)
    let painting = LayerPainting(painter, threads: work.threads)
    do {
      return try await render(work, painting)
    } catch {
      work.stop.give()
      await painting.end()
      throw error
    }
  }

  private func render(_ work: DrawingWork, _ painting: LayerPainting) async throws -> RenderedMap {
    let (threads, placed) = (work.threads, work.placed)
    var input = placed == nil ? newLabels(avoiding: work.covered) : LabelInput()
    var styled = try await styledLayers(threads: threads, margin: work.symbolMargin)
    let waits = !styled.isEmpty && input.obstacles != nil
    if !styled.isEmpty, !waits {
      styled.place(in: self, avoiding: LabelBox.all(of: placed ?? [], covered: work.covered))
    }
    var order = PaintingOrder(painting, styled, threads: threads, waits: waits)
    for (index, layer) in (basemap?.layers ?? []).enumerated() {
      let drawing = try await styleDrawing(of: layer, index: index)
      try await order.paint(drawing)
      avoid(drawing, of: layer, in: &input)
    }
    var dots = try await basemapDots()
    var reports: [RenderReport.Layer] = []
    for (place, layer) in ownBasemapLayers where place < 0 {
      try await paintTiles(.base, below: place + baseCount, &order)
      try await order.paint(try await basemapDrawing(of: layer, place, &input))
    }
    try await paintTiles(.base, below: nil, &order)
    for (index, layer) in layers.enumerated() {
      try Task.checkCancellation()
      try await paintTiles(.operational, below: index, &order)
      if let unread = layer.source as? UnreadSource {
        reports.append(RenderReport.Layer(unread: unread, of: layer))
        continue
      }
      let start = ContinuousClock.now
      let layer = try await fetched(layer)
      let drawing = try await drawing(of: layer, index: index)
      try await order.paint(drawing.layer)
      dots?.yield(to: drawing.layer)
      if placed == nil { try await addLabels(of: layer, index: index, drawing: drawing, to: &input) }
      let funnel = try await funnel(of: layer, drawing: drawing)
      reports.append(
        RenderReport.Layer(
          name: layer.name, status: layer.unloadedReason == nil ? .drawn : .unavailable, funnel: funnel,
          seconds: start.duration(to: .now) / .seconds(1),
          warnings: (layer.unloadedReason.map { ["nothing is drawn: \($0)"] } ?? []) + layer.source.warnings
            + (try await placeWarnings(of: layer))
            + symbolWarnings(of: layer, missingGlyphs: drawing.missingGlyphs)
            + drawing.failures,
          notes: try await notes(of: layer, drawing: drawing)
            + unreadTexts(of: layer, drawing: true).map(\.description)
            + invisibleNotes(of: layer, drawing, funnel),
          emptiness: layer.unloadedReason == nil ? emptiness(of: layer, funnel, drawing) : nil,
          cells: drawing.cells.map { CellSummary($0) }))
      if countsClasses {
        reports[index].classes = try await classes(of: layer, drawing: drawing, FeatureQuestion()).counts
      }
    }
    reports.tellEmptyLayers()
    try await paintTiles(.operational, below: nil, &order)
    for (place, layer) in ownBasemapLayers where place >= 0 {
      try await paintTiles(.reference, below: place - layers.count, &order)
      try await order.paint(try await basemapDrawing(of: layer, place, &input, dots: dots))
    }
    try await paintTiles(.reference, below: nil, &order)
    var warnings: [String] = []
    for (index, overlay) in overlays.enumerated() {
      let drawing = try await drawing(of: overlay, index: index)
      try await order.paint(drawing.layer)
      input.obstacles?.add(drawing.layer, labelledBy: nil)
      let symbols = symbolWarnings(of: overlay, missingGlyphs: drawing.missingGlyphs)
      for warning in try await placeWarnings(of: overlay) + symbols
      where !warnings.contains(warning) {
        warnings.append(warning)
      }
    }
    for layer in try await emphasisDrawing() { try await order.paint(layer) }
    let labels = placed == nil ? labels(input) : nil
    if let labelled = labels.map({ LabelledFeatures($0.report) }) {
      for (index, layer) in layers.enumerated() where labelsFeatures(of: layer) {
        reports[index].funnel?.labelled = labelled[index].count
      }
    }
    if waits {
      styled.place(in: self, avoiding: LabelBox.all(of: labels?.layers ?? [], covered: work.covered))
      try await order.paintWaiting(styled, of: self)
    }
    for layer in (placed ?? labels?.layers ?? []) + work.above { try await order.paint(layer) }
    let bitmap = try await painting.finish()
    // The painter leaves the rest unpainted when the task is cancelled.
    try Task.checkCancellation()
    return RenderedMap(
      bitmap: bitmap,
      report: RenderReport(
        view: self, layers: reports, tiles: order.reports, labels: labels?.report ?? LabelReport(),
        warnings: warnings + basemapWarnings
          + ownBasemapLayers.flatMap { self.warnings(ofBasemapLayer: $0.layer) }
          + (placed == nil ? labelWarnings(labels?.report) : [])))
  }
}

extension RenderReport.Layer {
  /// Creates the entry of a layer that was not read.
  fileprivate init(unread: UnreadSource, of layer: LayerState) {
    (name, funnel, seconds) = (layer.name, nil, 0)
    status = unread.isUnavailable ? .unavailable : .hidden
    warnings =
      unread.isUnavailable ? ["left out, because it cannot be read: \(unread.reason)"] : []
  }
}

extension [RenderReport.Layer] {
  /// Adds the sentences about layers that draw nothing: notes where the document wants it so, else warnings.
  ///
  /// In an image with features of another layer, a layer may well have none at the view's place and time.
  mutating func tellEmptyLayers() {
    let hasFeatures = contains { !($0.funnel?.drawsNothing ?? true) }
    for index in indices {
      guard let emptiness = self[index].emptiness else { continue }
      switch emptiness.cause {
      case .document: self[index].notes.append(emptiness.sentence)
      case .view where hasFeatures: self[index].notes.append(emptiness.sentence)
      case .view, .other: self[index].warnings.insert(emptiness.sentence, at: 0)
      }
    }
  }
}

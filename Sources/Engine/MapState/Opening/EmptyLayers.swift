import MapDrawing
import MapFeatures
import MapGeometry
import MapModel
import MapSystem

/// The reason why a layer draws nothing.
struct Emptiness {
  /// The condition that leaves the layer without features.
  enum Cause {
    /// The definition expression of the document, or the layer's range of scales.
    case document
    /// The view's place or time, or the display filter.
    case view
    /// An empty table, a filter of the caller, or symbols.
    case other
  }

  let sentence: String
  let cause: Cause
}

/// The reasons why a layer draws nothing or a question finds nothing.
extension ViewState {
  /// Returns why a visible layer has no painted features and no clusters; nil for others.
  ///
  /// The sentence names the stage that removed the last ones, or the properties that hide them. A layer that shows
  /// only labels draws something.
  func emptiness(of layer: LayerState, _ funnel: FilterFunnel, _ drawing: LayerDrawing) -> Emptiness? {
    guard layer.isVisible, funnel.drawsNothing else { return nil }
    let isLabelled = funnel.display > 0 && showsLabels(layer) && !drawing.invisible.isEmpty
    guard !isLabelled else { return nil }
    // A filter of the caller meets a display filter that the caller may not know.
    let meetsFilter = layer.hasFilterOfCaller && (funnel.definition == 0 || funnel.scale > 0)
    let cause: Emptiness.Cause =
      if funnel.total == 0 || funnel.display > 0 || meetsFilter {
        .other
      } else if funnel.definition == 0 || funnel.time > 0 && funnel.scale == 0 {
        .document
      } else {
        .view
      }
    let reason = emptyReason(of: layer, funnel, drawing)
    return Emptiness(sentence: "draws nothing: \(reason)", cause: cause)
  }

  private func emptyReason(of layer: LayerState, _ funnel: FilterFunnel, _ drawing: LayerDrawing) -> String {
    func features(_ count: Int) -> String { count == 1 ? "its one feature" : "its \(count) features" }
    if funnel.total == 0 { return "its table has no features" }
    if layer.source.schema.geometryKind == nil {
      return "its table has no geometry; a CSV file needs the columns longitude and latitude, x and y, or wkt"
        + "; mapstate inspect lists the columns of the file"
    }
    if funnel.definition == 0 { return "the definition expression leaves none of \(features(funnel.total))" }
    if funnel.extent == 0 { return "none of \(features(funnel.definition)) is in the view" }
    if funnel.time == 0 { return "the view's time leaves none of \(features(funnel.extent)) in the view" }
    if funnel.scale == 0 {
      return "the scale 1:\(plain(viewpoint.scale)) is outside its range\(range(of: layer))"
    }
    if funnel.display == 0 {
      return "the display filter leaves none of \(features(funnel.scale)) in the view"
    }
    return invisibleSentence(of: layer, drawing, funnel)
      ?? "none of \(features(funnel.display)) in the view has a symbol that changes a pixel of the image"
  }

  private func range(of layer: LayerState) -> String {
    let ends = [(layer.minScale, "minScale"), (layer.maxScale, "maxScale")].filter { $0.0 != 0 }
    return ends.isEmpty ? "" : " (\(ends.map { "\($1) \(plain($0))" }.joined(separator: ", ")))"
  }

  private func plain(_ scale: Double) -> String {
    scale < 1e15 ? "\(Int64(clamping: scale.rounded()))" : "\(scale)"
  }

  /// Refuses a question about the extent of a table without geometry, and returns the warnings of a question.
  ///
  /// - Parameters:
  ///   - asked: the layers that the question is about.
  ///   - asksExtent: whether the caller names an extent; false if the view is used by default.
  /// - Throws: ``MapStateError`` of kind input for a table with rows and without geometry.
  package func check(
    _ question: FeatureQuestion, asking asked: [LayerState], asksExtent: Bool
  ) throws(MapStateError) -> [String] {
    var warnings: [String] = []
    let read = asked.filter { !($0.source is UnreadSource) && $0.source.rowCount > 0 }
    for layer in read where layer.source.schema.geometryKind == nil {
      guard !asksExtent else {
        let other = read.first { $0.source.schema.geometryKind != nil }
        let advice =
          other.map { "ask for another layer alone, as in --layer \"\($0.name)\"" }
          ?? "name the columns of a CSV file longitude and latitude, x and y, or wkt"
        throw MapStateError(
          .input,
          "layer \"\(layer.name)\": the table has no geometry, so it has no features in an extent; "
            + "use --everywhere, or \(advice)")
      }
      if question.area == .view {
        warnings.append("layer \"\(layer.name)\": the table has no geometry; all its rows count")
      }
    }
    if question.time != nil { warnings += read.compactMap(\.timeRemark) }
    if asksExtent, let extent = question.extent(in: self), let warning = farExtentWarning(extent, from: read)
    {
      warnings.append(warning)
    }
    return warnings
  }

  /// Returns a warning if an extent is far from all data of the layers; nil if some are near, or if nothing is
  /// known.
  package func farExtentWarning(_ extent: Envelope, from asked: [LayerState]) -> String? {
    let boxes = asked.map(\.source.shownExtent).filter { !$0.isEmpty }
    guard let first = boxes.first else { return nil }
    for box in boxes {
      guard let reference = box.spatialReference,
        let ground = try? SpatialOperations.installed.box(around: extent, in: reference)
      else { return nil }
      for piece in ground.splitAtAntimeridian() {
        for copy in piece.copies(in: box.worldsReached, touching: box) where copy.meets(box) { return nil }
      }
    }
    let box = first.projected(to: .wgs84) ?? first
    func text(_ envelope: Envelope) -> String {
      "\(envelope.xMin),\(envelope.yMin),\(envelope.xMax),\(envelope.yMax),\(envelope.spatialReference?.wkid ?? 0)"
    }
    return "the extent \(text(extent)) is far from all data; their extent is \(text(box))"
  }
}

extension LayerState {
  /// Why times do not limit the layer; nil if they do.
  package var timeRemark: String? {
    guard definition.timeInfo == nil else { return nil }
    let names = source.schema.timeFieldNames
    guard names.count > 1 else {
      return "layer \"\(name)\" has no time field: --time does not apply to it"
    }
    return
      "layer \"\(name)\" has several time fields (\(names.joined(separator: ", "))): --time applies to none; "
      + "a condition such as \"\(names[0]) >= DATE '2024-01-01'\" does"
  }
}

extension FilterFunnel {
  /// Whether no feature is painted or part of a cluster.
  var drawsNothing: Bool { drawn == 0 && (edge ?? 0) == 0 && (aggregated ?? 0) == 0 }
}

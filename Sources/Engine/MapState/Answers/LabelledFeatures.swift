import MapDrawing
import MapFeatures
import MapModel

/// The features of layers that have labels in an image.
struct LabelledFeatures {
  /// The object ids by layer.
  private let ids: [Int: Set<Int64>]

  /// Collects the features of placed labels.
  init(_ report: LabelReport) {
    var ids: [Int: Set<Int64>] = [:]
    for label in report.labels {
      ids[report.classes[label.classNumber].layerIndex, default: []].insert(label.objectID)
    }
    self.ids = ids
  }

  /// Returns the object ids of a layer's features with labels.
  subscript(layerIndex: Int) -> Set<Int64> { ids[layerIndex] ?? [] }
}

extension ViewState {
  /// Whether the features of a layer are labelled one by one.
  func labelsFeatures(of layer: LayerState) -> Bool {
    TextEngine.measurer != nil && showsLabels(layer) && aggregation(of: layer) == nil
  }

  /// Returns the features with labels in the image; nil if no layer shows labels, or if a layer that is drawn was not
  /// read, because labels avoid each other and symbols.
  ///
  /// - Cost: drawing all layers without painting them, and placing their labels.
  /// - Throws: ``MapStateError``.
  func labelledFeatures() async throws(MapStateError) -> LabelledFeatures? {
    let drawn = (basemap?.layers ?? []) + layers + ownBasemapLayers.map(\.layer)
    guard layers.contains(where: labelsFeatures),
      !drawn.contains(where: { $0.source is UnreadSource && $0.isShown(atScale: viewpoint.scale) }),
      let report = labels(try await listBelowLabels(drawsTiles: false).labels)?.report
    else { return nil }
    return LabelledFeatures(report)
  }

  /// Returns the number of features with labels that a question in the view is about.
  ///
  /// - Throws: ``MapStateError``.
  func count(
    _ labelled: Set<Int64>, of layer: LayerState, _ question: FeatureQuestion
  ) async throws(MapStateError) -> Int {
    guard !question.addsNothing, !labelled.isEmpty else { return labelled.count }
    return try await naming(layer) {
      let features = try await layer.source.whole()
      let rows = try features.rows(conditions(for: layer, asking: question).query(for: .stage(.extent)))
      let asked = try FeatureRows(features.columns(), rows: Array(rows), hasGeometry: false)
      return labelled.intersection(asked.objectIDs).count
    }
  }
}

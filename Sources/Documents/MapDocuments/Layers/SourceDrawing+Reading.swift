package import MapFeatures
import MapJSON
package import MapModel

extension SourceDrawing {
  /// Reads the drawing information of a source; an error becomes a warning, and the standard symbols are used.
  package init(_ metadata: SourceMetadata) {
    self.init()
    (minScale, maxScale) = (metadata.minScale, metadata.maxScale)
    guard let drawing = metadata.drawingInfo else { return }
    var layer = WebMapLayer(id: "", title: "", url: "")
    layer.labelsAreEnabled = true
    var report = DocumentReport()
    do throws(JSONDecodingError) {
      let node = JSONNode(drawing, at: JSONPath.root["drawingInfo"])
      let checked = try DocumentWalk.check(node, as: .drawingInfo, showsLabels: true, &report)
      try layer.read(drawing: checked, fields: nil, &report)
      (renderer, opacity, labelDefinitions) = (layer.renderer, layer.opacity, layer.labelDefinitions)
      aggregation = layer.definition.aggregation
      warnings = report.warnings
    } catch {
      warnings = [
        DocumentWarning(
          path: error.path, message: "cannot be read: \(error); the standard symbols are drawn instead",
          outcome: .approximated)
      ]
    }
  }
}

extension TableState.Opened {
  /// Creates an opened table with the drawing information of its source.
  package init(_ source: any FeatureSource, name: String) {
    self.init(source: source, name: name, drawing: SourceDrawing(source.metadata))
  }
}

extension WebMapLayer {
  /// Returns the map's layer for an opened table, whose source supplies what the document leaves open.
  package func opened(over source: any FeatureSource) -> FeatureLayer {
    var layer = self
    layer.definition.take(SourceDrawing(source.metadata), timeInfo: source.metadata.timeInfo)
    return layer.featureLayer(over: source)
  }
}

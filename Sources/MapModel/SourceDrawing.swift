package import MapFeatures
import MapJSON

/// How a source says that its table is drawn and dated: what holds for a layer that brings nothing of its own.
package struct SourceDrawing: Sendable {
  /// Which symbol a feature gets; nil for the standard one of its geometry.
  package var renderer: RendererForm?
  /// 0 is clear, 1 opaque.
  package var opacity = 1.0
  /// The N of the smallest scale, 0 open.
  package var minScale = 0.0
  /// The N of the largest scale, 0 open.
  package var maxScale = 0.0
  /// The classes of labels.
  package var labelDefinitions: [LabelDefinition] = []
  /// What is not drawn as the source says.
  package var warnings: [DocumentWarning] = []

  /// Nothing said.
  package init() {}

  /// Reads what a source says; what cannot be read is a warning, and the standard stands in.
  package init(_ metadata: SourceMetadata) {
    (minScale, maxScale) = (metadata.minScale, metadata.maxScale)
    guard let drawing = metadata.drawingInfo else { return }
    var layer = WebMapLayer(id: "", title: "", url: "")
    layer.showsLabels = true
    var report = DocumentReport()
    do throws(JSONDecodingError) {
      let node = JSONNode(drawing, at: JSONPath.root["drawingInfo"])
      let checked = try DocumentWalk.check(node, as: .drawingInfo, showsLabels: true, &report)
      try layer.read(drawing: checked, fields: nil, &report)
      (renderer, opacity, labelDefinitions) = (layer.renderer, layer.opacity, layer.labelDefinitions)
      warnings = report.warnings
    } catch {
      warnings = [
        DocumentWarning(
          path: error.path, message: "cannot be read, so that the standard symbols stand in: \(error)")
      ]
    }
  }
}

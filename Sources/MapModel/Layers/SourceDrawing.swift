package import MapFeatures
import MapJSON

/// The drawing and time information of a source, used by layers that have none of their own.
package struct SourceDrawing: Sendable {
  /// The renderer; nil for the standard one of the geometry type.
  package var renderer: RendererForm?
  /// The opacity, from 0 (transparent) to 1 (opaque).
  package var opacity = 1.0
  /// The scale denominator of the smallest scale; 0 means no limit.
  package var minScale = 0.0
  /// The scale denominator of the largest scale; 0 means no limit.
  package var maxScale = 0.0
  /// The label classes.
  package var labelDefinitions: [LabelDefinition] = []
  /// The warnings about parts that are not drawn as the source specifies.
  package var warnings: [DocumentWarning] = []

  /// Creates empty drawing information.
  package init() {}

  /// Reads the drawing information of a source; an error becomes a warning, and the standard symbols are used.
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
          path: error.path, message: "cannot be read: \(error); the standard symbols are drawn instead")
      ]
    }
  }
}

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
  /// The bins that replace the features of ``renderer``; nil for none.
  package var aggregation: FeatureAggregation?
  /// The label classes.
  package var labelDefinitions: [LabelDefinition] = []
  /// The warnings about parts that are not drawn as the source specifies.
  package var warnings: [DocumentWarning] = []

  /// Creates empty drawing information.
  package init() {}
}

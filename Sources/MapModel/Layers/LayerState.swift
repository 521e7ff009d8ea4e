public import MapFeatures
public import MapGeometry

/// An immutable snapshot of a layer.
public struct LayerState: Sendable {
  /// The identifier of the layer in a document; may be empty.
  public var id: String
  /// The display name; may be empty.
  public var title: String
  /// The rows of the table.
  public var source: any FeatureSource
  /// The reason why ``source`` has no rows: the table is not loaded, or loading it failed; nil for a loaded table.
  public var unloadedReason: String?
  /// The renderer, which chooses the symbol of each feature.
  public var renderer: RendererForm
  /// The SQL condition that limits data and drawing; blank for none.
  public var definitionExpression = ""
  /// The display filters, which limit drawing only.
  public var displayFilter: DisplayFilterForm?
  /// Whether the layer is drawn.
  public var isVisible = true
  /// The opacity, from 0 (transparent) to 1 (opaque).
  public var opacity = 1.0
  /// The scale denominator above which the layer is not drawn; 0 means no limit.
  public var minScale = 0.0
  /// The scale denominator below which the layer is not drawn; 0 means no limit.
  public var maxScale = 0.0
  /// The fields that order overlapping features, the most significant first; empty for row order.
  public var drawingOrder: [DrawingOrder] = []
  /// The time fields of the table; nil for none.
  public var timeInfo: TimeInfo?
  /// Whether the view's time filters the layer; otherwise it is drawn at any time.
  public var filtersByTime = true
  /// The offset that is subtracted from the view's time before it filters the layer; nil for none.
  public var timeOffset: TimeValue?
  /// Whether symbols and labels keep their size on the ground when the map has a reference scale.
  public var scalesSymbols = true
  /// Whether the labels of ``labelDefinitions`` are drawn.
  public var labelsAreEnabled = false
  /// The label classes.
  public var labelDefinitions: [LabelDefinition] = []

  /// The attribution text that the document requires; empty to use that of the source.
  public var documentAttribution = ""

  /// The feature reduction requested by the document but not drawn; nil for none.
  public var undrawnReduction: String?

  /// The object ids of the selected features, drawn on top in the view's selection colour.
  public var selectedIDs: Set<Int64> = []
  /// The object ids of the hidden features.
  public var hiddenIDs: Set<Int64> = []

  package init(id: String, title: String, source: any FeatureSource, renderer: RendererForm) {
    (self.id, self.title, self.source, self.renderer) = (id, title, source, renderer)
  }

  /// Creates a layer without a name, with the standard renderer.
  init(source: any FeatureSource) {
    self.init(id: "", title: "", source: source, renderer: .standard(for: source.schema.geometryKind))
  }

  /// The attribution text of the document, or else of the source; empty for none.
  public var attribution: String {
    documentAttribution.isEmpty ? source.metadata.attribution : documentAttribution
  }

  /// The name of the layer in outputs: the title, or else the id.
  public var name: String { title.isEmpty ? id : title }

  /// Returns whether the layer is visible at a scale denominator.
  ///
  /// - Source: web map `layerDefinition`, both bounds inclusive.
  public func isShown(atScale scale: Double) -> Bool { showing.isShown(atScale: scale) }
}

extension RendererForm {
  /// Returns the renderer of a layer without one of its own.
  public static func standard(for kind: GeometryKind?) -> RendererForm {
    .simple(SimpleRenderer(form: .standard(for: kind ?? .point)))
  }
}

public import MapFeatures
public import MapGeometry

/// A layer as a value, at one moment.
public struct LayerState: Sendable {
  /// What tells the layer from others in a document; may be empty.
  public var id: String
  /// The name for people; may be empty.
  public var title: String
  /// The table.
  public var source: any FeatureSource
  /// Which symbol a feature gets.
  public var renderer: RendererForm
  /// SQL that limits data and drawing; blank is none.
  public var definitionExpression = ""
  /// Display filters, which limit drawing only.
  public var displayFilter: DisplayFilterForm?
  /// False hides the layer from drawing.
  public var isVisible = true
  /// 0 is clear, 1 opaque.
  public var opacity = 1.0
  /// Not drawn when the view's scale is a larger N; 0 is open.
  public var minScale = 0.0
  /// Not drawn when the view's scale is a smaller N; 0 is open.
  public var maxScale = 0.0
  /// By which fields features lie above each other, by weight; none is the order of the rows.
  public var drawingOrder: [DrawingOrder] = []
  /// Where the table keeps time.
  public var timeInfo: TimeInfo?
  /// False is drawn at any time of the view.
  public var filtersByTime = true
  /// How far back the view's time is moved before it filters; nil is not at all.
  public var timeOffset: TimeValue?
  /// True lets symbols and labels keep their size on the ground where the map has a reference scale.
  public var scalesSymbols = true
  /// True draws the labels of ``labelDefinitions``.
  public var labelsAreEnabled = false
  /// The classes of labels.
  public var labelDefinitions: [LabelDefinition] = []

  /// Attribution that the document requires; empty leaves that of the source.
  public var documentAttribution = ""

  /// What stands in its document for features that lie close together and is not drawn; nil for nothing.
  public var undrawnReduction: String?

  /// The ids of the selected features, which are drawn on top in the view's colour.
  public var selectedIDs: Set<Int64> = []
  /// The ids of the features that are hidden one by one.
  public var hiddenIDs: Set<Int64> = []

  package init(id: String, title: String, source: any FeatureSource, renderer: RendererForm) {
    (self.id, self.title, self.source, self.renderer) = (id, title, source, renderer)
  }

  /// A layer without a name under the standard renderer.
  init(source: any FeatureSource) {
    self.init(id: "", title: "", source: source, renderer: .standard(for: source.schema.geometryKind))
  }

  /// Attribution of the layer: the document's, else its source's; empty for none.
  public var attribution: String {
    documentAttribution.isEmpty ? source.metadata.attribution : documentAttribution
  }

  /// Title, else id: what outputs call the layer.
  public var name: String { title.isEmpty ? id : title }

  /// True when the layer is visible at a scale.
  ///
  /// - Source: web map `layerDefinition`, both bounds included.
  public func isShown(atScale scale: Double) -> Bool { showing.isShown(atScale: scale) }
}

extension RendererForm {
  /// The renderer of a layer that brings none.
  public static func standard(for kind: GeometryKind?) -> RendererForm {
    .simple(SimpleRenderer(form: .standard(for: kind ?? .point)))
  }
}
